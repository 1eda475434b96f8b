import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A refusal: the status to answer and why, in words for the person in front of the browser. */
export interface Refusal {
  status: 400 | 401 | 403;
  reason: string;
}

/**
 * Who may talk to the server. Two random secrets of 256 bits: the token in the address printed once, and the session
 * that a browser which came with the token keeps in a cookie.
 */
export interface Guard {
  readonly token: string;
  /** `Set-Cookie` for a browser that came with the token. */
  readonly cookie: string;
  isToken(candidate: string): boolean;
  /** A token that lets in once, within a minute: for a command line, which other users of the machine can read. */
  issueOnce(): string;
  /** For every request: the name it asks for (DNS rebinding) and the page it comes from. */
  checkSource(headers: IncomingHttpHeaders): Refusal | null;
  /** For everything but the address with the token. */
  checkSession(headers: IncomingHttpHeaders): Refusal | null;
  /** For the WebSocket's upgrade: a browser always names the origin there. */
  checkUpgrade(headers: IncomingHttpHeaders): Refusal | null;
}

const strangers: Refusal = { status: 403, reason: 'Requests from other web pages are refused.' };
const unknown: Refusal = {
  status: 401,
  reason: 'Open the address that Benchberry printed in the terminal when it started.',
};

const onceMs = 60_000;

export function createGuard(port: number): Guard {
  const token = secret();
  const session = secret();
  const once = new Set<string>();
  // Browsers keep cookies for a host whatever its port: the name keeps two servers apart.
  const cookieName = `benchberry-${port}`;
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);

  function checkSource(headers: IncomingHttpHeaders): Refusal | null {
    const { host, origin } = headers;
    if (host === undefined || !hosts.has(host)) {
      return { status: 403, reason: `This server answers as 127.0.0.1:${port} only.` };
    }
    if (origin !== undefined && origin !== `http://${host}`) return strangers;
    // Another local server is the "same site" to a browser, and its pages would send the cookie.
    const site = headers['sec-fetch-site'];
    const navigates = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && !navigates) return strangers;
    return null;
  }

  function checkSession(headers: IncomingHttpHeaders): Refusal | null {
    const known = cookies(headers.cookie, cookieName).some((value) => sameSecret(value, session));
    return known ? null : unknown;
  }

  return {
    token,
    cookie: `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`,
    isToken(candidate) {
      for (const key of once) {
        if (sameSecret(candidate, key)) return once.delete(key);
      }
      return sameSecret(candidate, token);
    },
    issueOnce() {
      const key = secret();
      once.add(key);
      setTimeout(() => once.delete(key), onceMs).unref();
      return key;
    },
    checkSource,
    checkSession,
    checkUpgrade(headers) {
      if (headers.origin === undefined) return strangers;
      return checkSource(headers) ?? checkSession(headers);
    },
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function cookies(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
}

/** Takes the same time wherever the two differ; hashing makes them equally long. */
function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
