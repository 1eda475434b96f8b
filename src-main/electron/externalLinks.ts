import { shell } from 'electron';

/** The only way out: an https address opens in the system's browser, anything else does nothing. */
export function openExternal(text: string): void {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.username === '' && url.password === '')
    void shell.openExternal(url.href);
}
