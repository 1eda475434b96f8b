import { expect, it } from 'vitest';
import { clientSchema } from '../../src-shared/model/run.ts';
import { clientMachine } from './client.ts';

it('describes this machine in the shape that is stored', () => {
  const machine = clientMachine('1.2.3');
  expect(clientSchema.parse(machine)).toEqual(machine);
  expect(machine.node).toBe(process.versions.node);
  expect(machine.cpu).not.toBe('');
  expect(machine.toolVersion).toBe('1.2.3');
});
