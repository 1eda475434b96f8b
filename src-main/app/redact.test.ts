import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog } from './log.ts';
import { redact, redactText } from './redact.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['postgresql://me:hunter2@db:5432/x', 'postgresql://me:[redacted]@db:5432/x'],
  ['postgresql://me:hun/ter2@db:5432/x', 'postgresql://me:[redacted]@db:5432/x'],
  ['to postgres://:hunter2@h, then', 'to postgres://:[redacted]@h, then'],
  ['a://u:p@ss:w0rd@h/x and b://v:q@i', 'a://u:[redacted]@h/x and b://v:[redacted]@i'],
  ['host=h password=hunter2 user=u', 'host=h password=[redacted] user=u'],
  ['?sslmode=require&password=hunter2&x=1', '?sslmode=require&password=[redacted]&x=1'],
  ['http://127.0.0.1:8080/?token=abc', 'http://127.0.0.1:8080/?token=[redacted]'],
  ['PGPASSWORD=hunter2 psql', 'PGPASSWORD=[redacted] psql'],
  [`--env=DB_PASSWORD='my hunter2' x`, '--env=DB_PASSWORD=[redacted] x'],
  ['postgresql://db:5432/x at 10:00', 'postgresql://db:5432/x at 10:00'],
  ['mail a:b@c', 'mail a:b@c'],
  ['GET / Authorization: Basic bWU6aHVudGVyMg==, Host: h', 'GET / Authorization: Basic [redacted], Host: h'],
  ['{"authorization":"Bearer abc.d-e"}', '{"authorization":"Bearer [redacted]"}'],
  ['Basic authorization is needed', 'Basic authorization is needed'],
  ['https://h/a b:c@d', 'https://h/a b:c@d'],
])('%s becomes %s', (text, expected) => {
  expect(redactText(text)).toBe(expected);
});

test.each([
  'a',
  'a.',
  'x://a:',
  '://',
  ':/',
  'password="',
  "token='",
  'pwd=',
  'authorization: ',
  'authorization:basic ',
  'a-password',
])('a million of %j takes no longer than any other text', { timeout: 20_000 }, (part) => {
  const text = part.repeat(1_000_000 / part.length);
  expect(redactText(`${text} u://me:hunter2@h`)).not.toContain('hunter2');
});

test('values under secret-sounding keys go, at any depth, in errors too; whether there is one stays', () => {
  const error = Object.assign(new Error('no: postgresql://u:hunter2@h', { cause: { password: 'hunter2' } }), {
    connection: { PGPASSWORD: 'hunter2', host: 'h' },
  });
  const redactedValue = redact({
    error,
    list: [{ Secret: ['hunter2'] }],
    hasSecret: true,
    secret: null,
    apiToken: 5,
    n: 2n,
  });
  expect(JSON.stringify(redactedValue)).not.toContain('hunter2');
  expect(redactedValue).toMatchObject({
    error: {
      message: 'no: postgresql://u:[redacted]@h',
      connection: { PGPASSWORD: '[redacted]', host: 'h' },
    },
    list: [{ Secret: '[redacted]' }],
    hasSecret: true,
    secret: null,
    apiToken: '[redacted]',
    n: '2',
  });
});

test('what refers to itself ends', () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(redact({ loop })).toEqual({ loop: { self: '[circular]' } });
});

test('no password of any URL stays, whatever it is made of', () => {
  const secret = fc.string({
    minLength: 6,
    unit: fc.constantFrom(...'abcXYZ019:@%?#&=!$*()+,;\'"[]{}|\\^~-._'),
  });
  fc.assert(
    fc.property(secret, (password) => {
      expect(redactText(`x postgresql://user:${password}@host:1/db y`)).toBe(
        'x postgresql://user:[redacted]@host:1/db y',
      );
    }),
  );
});

test('the log file has its lines as JSON, redacted, from the level on that is asked for', () => {
  const { log, close } = openLog(folder, { BENCHBERRY_LOG: 'info' });
  log.debug('not kept');
  log.info('kept postgresql://u:hunter2@h', { password: 'hunter2', a: 1 });
  log.error('failed', { error: new Error('password=hunter2') });
  close();
  const lines = readFileSync(join(folder, 'benchberry.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(lines).toMatchObject([
    { level: 30, msg: 'kept postgresql://u:[redacted]@h', password: '[redacted]', a: 1 },
    { level: 50, msg: 'failed', error: { message: 'password=[redacted]' } },
  ]);
});

test('a log that has grown is put aside at the next start', () => {
  writeFileSync(join(folder, 'benchberry.log'), 'x'.repeat(5 * 1024 * 1024 + 1));
  const { log, close } = openLog(folder, { BENCHBERRY_LOG: 'debug' });
  log.debug('new');
  close();
  expect(readFileSync(join(folder, 'benchberry.log.1'), 'utf8')).toHaveLength(5 * 1024 * 1024 + 1);
  expect(readFileSync(join(folder, 'benchberry.log'), 'utf8').split('\n')).toHaveLength(2);
});

// Linux has a file that is always full.
test.runIf(existsSync('/dev/full'))('a log that takes no more, or is closed, fails nobody', () => {
  symlinkSync('/dev/full', join(folder, 'benchberry.log'));
  const { log, close } = openLog(folder, {});
  for (let i = 0; i < 3; i += 1) log.info('a line');
  close();
  close();
  log.error('after the end');
  rmSync(join(folder, 'benchberry.log'));
  const other = openLog(folder, {});
  other.close();
  other.log.error('after the end');
  expect(readFileSync(join(folder, 'benchberry.log'), 'utf8')).toBe('');
});
