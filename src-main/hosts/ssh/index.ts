export { readHostKey, type ShownKey } from './hostKey.ts';
export { openRemote } from './openRemote.ts';
export type { Access, HostAddress } from './session.ts';
