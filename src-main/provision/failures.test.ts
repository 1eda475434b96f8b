import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { failedScript, onHost } from './failures.ts';

const told = (output: string) => {
  const { code, message, detail, hint } = failedScript('Install it', 100, output);
  return { code, message, detail, hint };
};

describe('what a host says when a step fails', () => {
  it.each([
    [
      'disk-full',
      'there is no room left on the host',
      'initdb: error: could not write to file "/srv/x/pg_wal/000000010000000000000001": No space left on device\nError: initdb failed',
    ],
    [
      'disk-full',
      'there is no room left on the host',
      "E: You don't have enough free space in /var/cache/apt/archives/.",
    ],
    [
      'server-error',
      'the host cannot fetch what it needs',
      "E: Failed to fetch http://deb.example/x.deb  Temporary failure resolving 'deb.example'",
    ],
    [
      'server-error',
      'the host cannot fetch what it needs',
      'Error response from daemon: Get "https://registry.example/v2/": dial tcp 10.0.0.1:443: connect: connection refused',
    ],
    [
      'server-error',
      'the clock of the host is wrong, so that it trusts no archive',
      'W: OpenPGP signature verification failed: http://deb.example trixie InRelease: Not live until 2025-08-09T09:10:00Z\nE: Failed to fetch http://deb.example/InRelease',
    ],
    [
      'server-error',
      'another program has the port',
      'LOG:  could not bind IPv4 address "0.0.0.0": Address already in use\nHINT:  Is another postmaster already running on port 5433?',
    ],
    [
      'server-error',
      'another program has the port',
      'Bind for 0.0.0.0:5432 failed: port is already allocated.',
    ],
    [
      'server-error',
      'another program works with packages',
      'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (apt-get)',
    ],
    ['server-error', 'the host could not do it', 'Job for docker.service failed.'],
  ])('%s: %s', (code, what, output) => {
    const error = told(output);
    expect(error).toMatchObject({ code, message: `Install it: ${what}` });
    expect(error.detail).toBe(output);
    expect(error.hint).toMatch(/goes on here/);
  });

  it('shows the line that names the cause, and the end', () => {
    const end = ['1', '2', '3', '4', '5'];
    const cause = 'tar: x: Cannot write: No space left on device';
    expect(told(['begin', cause, 'between', ...end, ''].join('\n')).detail).toBe([cause, ...end].join('\n'));
    expect(told('').detail).toBe('exit code 100');
  });

  it('names the host once', () => {
    const error = onHost(new AppError({ code: 'disk-full', message: 'x', place: { file: '/y' } }), 'rpi');
    expect(error.place).toEqual({ file: '/y', host: 'rpi' });
    expect(onHost(error, 'other')).toBe(error);
  });
});
