export { readHostKey } from './hostKey.ts';
export { openRemote } from './openRemote.ts';
