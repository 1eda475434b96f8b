import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { onThisMachine } from './sameMachine.ts';

it('knows the names of this machine', () => {
  for (const label of [
    'localhost:5432',
    '127.0.0.1:5432',
    '[::1]:5432',
    '/var/run/postgresql',
    `${hostname()}:5432`,
  ])
    expect(onThisMachine(label), label).toBe(true);
  for (const label of ['db.example:5432', '192.0.2.1:5432', '[2001:db8::1]:5432'])
    expect(onThisMachine(label), label).toBe(false);
});
