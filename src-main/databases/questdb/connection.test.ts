import { describe, expect, it } from 'vitest';
import { asPostgres, authorization, connectionLabel, parseUrl, resolveConnection } from './connection.ts';

describe('a QuestDB URL', () => {
  it.each([
    ['questdb://', {}, null],
    ['questdb://pi.local', { host: 'pi.local' }, null],
    ['questdb://admin:p%40ss@pi.local:9001', { host: 'pi.local', port: 9001, user: 'admin' }, 'p@ss'],
    [
      'QUESTDB://[::1]:9000/?queriesOver=http&wirePort=8813&ilpPort=9010&sslmode=require',
      { host: '::1', port: 9000, queriesOver: 'http', wirePort: 8813, ilpPort: 9010, tlsMode: 'require' },
      null,
    ],
  ])('%s', (text, connection, secret) => {
    expect(parseUrl(text)).toEqual({ connection, secret });
  });

  it('is another engine’s where the scheme is', () => {
    expect(parseUrl('postgresql://localhost')).toBeNull();
  });

  it.each([
    'questdb://host/db',
    'questdb://a:hushhush%zz@host',
    'questdb://a:hushhush@host?what=1',
    'questdb://a:hushhush@h:x',
  ])('is refused without a word of the password: %s', (text) => {
    expect(() => parseUrl(text)).toThrow(
      expect.objectContaining({
        code: 'bad-input',
        message: expect.not.stringContaining('hush'),
        hint: expect.not.stringContaining('hush'),
      }),
    );
  });
});

describe('a connection', () => {
  it('is filled in with QuestDB’s own ports and its first user and password', () => {
    const target = resolveConnection({ host: 'pi.local' }, '');
    expect(target).toMatchObject({ port: 9000, wirePort: 8812, ilpPort: 9009, user: 'admin', secret: null });
    expect(asPostgres(target)).toMatchObject({ port: 8812, user: 'admin', password: 'quest' });
    expect(authorization(target)).toBeNull();
    expect(connectionLabel(target)).toBe('pi.local:9000');
    expect(connectionLabel({ host: '::1', port: 1 })).toBe('[::1]:1');
  });

  it('signs in with a password everywhere, with a token over HTTP only', () => {
    const own = resolveConnection({ user: 'ö' }, 'p:w');
    expect(authorization(own)).toBe('Basic w7Y6cDp3');
    expect(asPostgres(own).password).toBe('p:w');
    const token = resolveConnection({ secretIs: 'token', queriesOver: 'http' }, 'qt1abc');
    expect(authorization(token)).toBe('Bearer qt1abc');
    expect(() => resolveConnection({ secretIs: 'token' }, 'qt1abc')).toThrow(
      expect.objectContaining({ code: 'bad-input', place: { field: 'queriesOver' } }),
    );
    expect(() => resolveConnection({ port: 0 }, null)).toThrow(
      expect.objectContaining({ code: 'bad-input', place: { field: 'port' } }),
    );
  });
});
