import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectionLabel, parseUrl, resolveConnection } from './connection.ts';
import { openError, serverError } from './errors.ts';
import { quoteName, quoteText } from './quoting.ts';

describe('a connection URL of MariaDB or MySQL', () => {
  it('gives back user, password, host and port, whatever is in them', () => {
    const name = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' });
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 65_535 }), (user, password, port) => {
        const url = `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@pi.local:${port}`;
        expect(parseUrl(url)).toEqual({ connection: { host: 'pi.local', port, user }, secret: password });
      }),
    );
  });

  it('may leave everything out, or name a socket', () => {
    expect(parseUrl('mariadb://')).toEqual({ connection: {}, secret: null });
    const socket = parseUrl('mysql://me@localhost/?host=/run/mysqld/mysqld.sock&sslmode=require');
    expect(socket?.connection).toEqual({ host: '/run/mysqld/mysqld.sock', user: 'me', tlsMode: 'require' });
    expect(connectionLabel(resolveConnection(socket?.connection, null))).toBe('/run/mysqld/mysqld.sock');
    expect(parseUrl('postgresql://localhost')).toBeNull();
  });

  it('that cannot be read is said so, without the password', () => {
    for (const url of ['mysql://a:secret@host:99999', 'mysql://a:secret@host/db', 'mysql://a:secret@h?x=1'])
      expect(() => parseUrl(url)).toThrow(expect.objectContaining({ code: 'bad-input' }));
    try {
      parseUrl('mysql://a:secret@host/db');
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('secret');
    }
    expect(() => resolveConnection({ port: 0 }, null)).toThrow('A port is 1 to 65535');
  });
});

it('quotes names and texts so that they end where they are to', () => {
  expect(quoteName('a`b')).toBe('`a``b`');
  expect(quoteText("it's a \\ b")).toBe("'it\\'s a \\\\ b'");
});

describe('what goes wrong', () => {
  const place = { host: 'pi.local', port: 3306 };
  const server = (errno: number, message: string) =>
    Object.assign(new Error(message), { errno, code: 'ER_X', sqlState: 'HY000' });

  it.each([
    [1021, 'disk-full'],
    [1114, 'disk-full'],
    [1044, 'no-permission'],
    [1049, 'no-database'],
    [4166, 'unsupported'],
    [1064, 'server-error'],
  ])('error %i is %s, in the server’s words', (errno, code) => {
    const error = serverError(server(errno, 'its words'), place);
    expect(error).toMatchObject({ code, place, detail: `its words (${errno}, HY000)` });
    expect(error.hint).toBeTruthy();
  });

  it('on the way in is a password, the network or TLS', () => {
    const denied = server(1045, 'Access denied for user');
    expect(openError(denied, place, true)).toMatchObject({ code: 'wrong-password', secret: 'database' });
    expect(openError(denied, place, false)).toMatchObject({ code: 'password-needed', secret: 'database' });
    const socket = (code: string) => Object.assign(new Error(code), { code });
    expect(openError(socket('ENOTFOUND'), place, true).code).toBe('host-not-found');
    expect(openError(socket('ETIMEDOUT'), place, true).code).toBe('connection-timeout');
    expect(openError(socket('SELF_SIGNED_CERT_IN_CHAIN'), place, true).code).toBe('tls-untrusted');
    expect(openError(socket('PROTOCOL_CONNECTION_LOST'), place, true).hint).toContain('MariaDB or MySQL');
  });
});
