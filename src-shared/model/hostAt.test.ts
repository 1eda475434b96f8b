import { expect, it } from 'vitest';
import { hostAt } from './hostAt.ts';

const hosts = [{ address: 'rpi-3.local' }, { address: '192.168.1.7' }, { address: 'fd00::7' }];

it('is the host of the same address, whatever its case', () => {
  expect(hostAt('RPI-3.local', hosts)).toBe(hosts[0]);
  expect(hostAt('rpi-3.local.', hosts)).toBe(hosts[0]);
  expect(hostAt('192.168.1.7', hosts)).toBe(hosts[1]);
  expect(hostAt('fd00::7', hosts)).toBe(hosts[2]);
});

it('is none that only looks like it', () => {
  for (const address of ['rpi-3', '192.168.1.70', '', '/run/postgresql', null, 5432])
    expect(hostAt(address, hosts)).toBeNull();
});
