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
  ['rpi-3', 'rpi-3'],
  ['my:password=1', 'my:password=1'],
])('%s is kept as %s', (text, kept) => {
  expect(withoutPassword(text)).toBe(kept);
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
  ['something else', 'not-found', 'Targets: sandbox, null; or a connection URL.'],
  ['mysql://root:hunter2@h', 'bad-input', expect.stringContaining('postgresql://')],
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
