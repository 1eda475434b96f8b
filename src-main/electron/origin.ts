/** The page's own origin in the desktop app. No web page can have it. */
export const appScheme = 'app';
const appHost = 'benchberry';
export const appUrl = `${appScheme}://${appHost}/`;

export function isAppUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === `${appScheme}:` && url.host === appHost;
}
