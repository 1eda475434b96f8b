import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import type { FormField } from '../../../src-shared/model/form.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import { address } from './address.ts';
import { checkDraft, type Draft, fieldOfError, hostOf, nameOf, toTargetDraft } from './draft.ts';

const base = {
  help: '',
  group: 'Server',
  advanced: false,
  unit: null,
  options: [],
  min: null,
  max: null,
  required: false,
  default: null,
};
const fields: FormField[] = [
  { ...base, key: 'host', label: 'Host', kind: 'text', required: true },
  { ...base, key: 'port', label: 'Port', kind: 'integer', min: 1, max: 65_535, default: 5432 },
];
const draft: Draft = {
  id: null,
  name: '',
  engine: 'postgresql',
  connection: { host: 'rpi-3' },
  secret: 'x',
  hostId: undefined,
};

const host = (id: string, address: string): Host => ({
  ...{
    id,
    name: id,
    address,
    port: 22,
    user: 'pi',
    auth: { method: 'agent' },
    hostKey: null,
    hasSecret: false,
  },
  ...{ group: null, inventory: null, gate: null, measured: null, createdAt: '2026-01-01T00:00:00.000Z' },
});

describe('the draft of a target', () => {
  it('takes the host as its name until it has one', () => {
    expect(nameOf(draft, fields)).toBe('rpi-3');
    expect(nameOf({ ...draft, name: ' lab ' }, fields)).toBe('lab');
    expect(toTargetDraft(draft, fields, [])).toEqual({
      id: null,
      name: 'rpi-3',
      engine: 'postgresql',
      connection: { host: 'rpi-3' },
      secret: 'x',
      hostId: null,
    });
  });
  it('runs on the host of its address, unless another one or none was chosen', () => {
    const hosts = [host('h1', 'RPI-3'), host('h2', 'rpi-4.local')];
    expect(hostOf(draft, hosts)).toBe('h1');
    expect(hostOf({ ...draft, hostId: null }, hosts)).toBeNull();
    expect(hostOf({ ...draft, hostId: 'h2' }, hosts)).toBe('h2');
    expect(hostOf({ ...draft, connection: { host: 'elsewhere' } }, hosts)).toBeNull();
    expect(toTargetDraft(draft, fields, hosts)).toMatchObject({ hostId: 'h1' });
  });
  it('says what is wrong by field', () => {
    expect([...checkDraft(draft, fields)]).toEqual([]);
    expect([...checkDraft({ ...draft, connection: { port: 70_000 } }, fields)]).toEqual([
      ['host', 'Host is needed'],
      ['port', 'Port is between 1 and 65535'],
    ]);
  });
});

describe('fieldOfError', () => {
  const error = (code: AppError['code'], field?: string) =>
    new AppError({ code, message: 'm', place: { field } });
  it('finds the field that is meant', () => {
    expect(fieldOfError(error('host-not-found', 'connection.host'), fields)).toBe('host');
    expect(fieldOfError(error('connection-refused', 'port'), fields)).toBe('port');
    expect(fieldOfError(error('wrong-password', 'connection.password'), fields)).toBe('secret');
    expect(fieldOfError(error('wrong-password'), fields)).toBe('secret');
    expect(fieldOfError(error('tls-required', 'connection.unknown'), fields)).toBeNull();
    expect(fieldOfError(error('disk-full'), fields)).toBeNull();
  });
});

describe('address', () => {
  it('is one line', () => {
    expect(address({ host: 'db.local', port: 5433 })).toBe('db.local:5433');
    expect(address({ host: '::1', port: 5432 })).toBe('[::1]:5432');
    expect(address({ host: '/run/postgresql', port: 5432 })).toBe('/run/postgresql');
    expect(address({ host: 'rpi-3' })).toBe('rpi-3');
    expect(address({})).toBeNull();
  });
});
