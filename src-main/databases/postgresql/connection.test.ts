import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectionLabel, parseUrl, resolveConnection } from './connection.ts';

describe('connection URLs', () => {
  it('are read in the forms that people write', () => {
    expect(parseUrl('postgresql://')).toEqual({ connection: {}, secret: null });
    expect(parseUrl('postgres://db.local')).toEqual({ connection: { host: 'db.local' }, secret: null });
    expect(parseUrl('postgresql://ann:s%40cr%2Fet%25@db.local:6432/admin%20db?sslmode=verify-full')).toEqual({
      connection: {
        host: 'db.local',
        port: 6432,
        user: 'ann',
        adminDatabase: 'admin db',
        tlsMode: 'verify-full',
      },
      secret: 's@cr/et%',
    });
    expect(parseUrl('postgresql://[fe80::1]:5433/')).toEqual({
      connection: { host: 'fe80::1', port: 5433 },
      secret: null,
    });
    expect(parseUrl('postgresql://ann@%2Fvar%2Frun%2Fpostgresql/postgres')).toMatchObject({
      connection: { host: '/var/run/postgresql', user: 'ann' },
    });
    expect(parseUrl('postgresql:///postgres?host=/run/postgresql&sslrootcert=ca.pem')).toEqual({
      connection: { adminDatabase: 'postgres', host: '/run/postgresql', caFile: 'ca.pem' },
      secret: null,
    });
  });

  it('of other engines are left to them', () => {
    expect(parseUrl('mysql://db.local')).toBeNull();
    expect(parseUrl('sandbox')).toBeNull();
  });

  it('that cannot be read are refused without showing the password', () => {
    for (const url of [
      'postgresql://a:secret@db.local:port/',
      'postgresql://a:secret%zz@h/',
      'postgres://a:secret@h/?ssl=1',
    ]) {
      expect(() => parseUrl(url)).toThrow(expect.objectContaining({ code: 'bad-input' }));
      expect(() => parseUrl(url)).not.toThrow(/secret/);
    }
  });

  it('give back any user, password and database', () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((s) => s.isWellFormed());
    fc.assert(
      fc.property(text, text, text, (user, password, database) => {
        const url = `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@h/${encodeURIComponent(database)}`;
        fc.pre(!['.', '..'].includes(database)); // those a URL resolves away
        expect(parseUrl(url)).toEqual({
          connection: { host: 'h', user, adminDatabase: database },
          secret: password,
        });
      }),
    );
  });
});

describe('a saved connection', () => {
  it('gets defaults, and an empty password is none', () => {
    expect(resolveConnection({}, '')).toEqual({
      host: 'localhost',
      port: 5432,
      user: 'postgres',
      adminDatabase: 'postgres',
      tlsMode: 'prefer',
      caFile: '',
      password: null,
    });
  });

  it('names the field that is wrong', () => {
    expect(() => resolveConnection({ port: 70_000 }, null)).toThrow(
      expect.objectContaining({ code: 'bad-input', place: { field: 'port' } }),
    );
    expect(() => resolveConnection({ host: '  ' }, null)).toThrow(
      expect.objectContaining({ code: 'bad-input', place: { field: 'host' } }),
    );
  });

  it('is shown as host and port', () => {
    expect(connectionLabel({ host: 'db.local', port: 5432 })).toBe('db.local:5432');
    expect(connectionLabel({ host: '::1', port: 5433 })).toBe('[::1]:5433');
    expect(connectionLabel({ host: '/run/postgresql', port: 5432 })).toBe('/run/postgresql');
  });
});
