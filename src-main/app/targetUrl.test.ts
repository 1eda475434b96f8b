import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameOfUrl, parseTargetUrl, withoutPassword } from './targetUrl.ts';

test.each([
  ['postgresql://me:pw@db.local:5433/admin?sslmode=require', 'postgresql://me@db.local:5433/admin'],
  ['postgres://db.local', 'postgres://db.local'],
  ['postgresql://me:p%40w@[::1]/x#y', 'postgresql://me@[::1]/x'],
])('%s is named %s', (url, name) => {
  expect(nameOfUrl(url)).toBe(name);
});

test.each([
  ['postgresql://me:pw@h/x?sslmode=require', 'postgresql://me@h/x?sslmode=require'],
  ['postgresql://me@h/x?password=pw&sslmode=require', 'postgresql://me@h/x?sslmode=require'],
  ['postgresql://me@h/x?password=a&token=b', 'postgresql://me@h/x'],
  ['postgresql://me@h/x?password=a b&sslmode=require#y', 'postgresql://me@h/x?sslmode=require#y'],
  ['postgresql://me:p w@h/x', 'postgresql://me@h/x'],
  ['postgresql://me:p\tw\n@h/x', 'postgresql://me@h/x'],
  ['postgresql://me:p/w@h/x', 'postgresql://me@h/x'],
  ['postgresql://me:p#w?x@y@h/x', 'postgresql://me@h/x'],
  [' postgresql://me:pw@h/x', 'postgresql://me@h/x'],
  ['postgresql://h:5432/x?sslmode=require', 'postgresql://h:5432/x?sslmode=require'],
  ['rpi-3', 'rpi-3'],
  ['my:password=1', 'my:password=1'],
])('%s is kept as %s', (text, kept) => {
  expect(withoutPassword(text)).toBe(kept);
});

test('whatever the password, what is stored does not hold it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, encoded) => {
      const secret = `hunter2${text}hunter2`;
      const url = `postgresql://me:${encoded ? encodeURIComponent(secret.toWellFormed()) : secret}@h:5432/x`;
      expect(withoutPassword(url)).not.toContain('hunter2');
      expect(nameOfUrl(url)).not.toContain('hunter2');
    }),
  );
});

test('a URL becomes an engine, a connection with its defaults, and a secret', () => {
  const { driver, connection, secret } = parseTargetUrl('postgresql://me:p%40w@db.local:5433/admin', []);
  expect(driver.id).toBe('postgresql');
  expect(connection).toMatchObject({
    host: 'db.local',
    port: 5433,
    user: 'me',
    adminDatabase: 'admin',
    tlsMode: 'prefer',
  });
  expect(secret).toBe('p@w');
  expect(JSON.stringify(connection)).not.toContain('p@w');
});

test.each([
  ['sandbx', 'not-found', 'Did you mean sandbox?'],
  ['postgresql:me:hunter2@h', 'not-found', expect.any(String)],
  ['postgresql:/me:hunter2@h/x', 'not-found', expect.any(String)],
  ['something else', 'not-found', 'Targets: sandbox, null; or a connection URL.'],
  ['oracle://root:hunter2@h', 'bad-input', expect.stringContaining('postgresql://')],
  ['postgresql://me:hunter2@h:99999/x', 'bad-input', expect.any(String)],
  ['postgresql://me:hunter2@h/x?colour=red', 'bad-input', expect.any(String)],
])('%s is refused without saying its password', (text, code, hint) => {
  let thrown: unknown;
  try {
    parseTargetUrl(text, ['sandbox', 'null']);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code, hint });
  expect(JSON.stringify(thrown) + String(thrown)).not.toContain('hunter2');
});
