import { dataset as common } from '../../src-main/databases/contractRows.ts';
import type { Dataset } from '../../src-main/databases/driver.ts';

/** The data set of the contract in names and tags that the line protocol carries. */
export const lineDataset: Dataset = {
  ...common,
  tags: [
    { name: 'hostname', type: 'string' },
    { name: 'Region, "x"=1', type: 'string' },
    { name: 'load', type: 'float32' },
  ],
  tables: [
    { name: 'cpu', fields: ['user', 'select', 'idle'].map((name) => ({ name, type: 'integer' as const })) },
    { name: 'Mem "y",é', tags: ['bank', "size'"], fields: [{ name: 'used', type: 'double' }] },
  ],
  deviceTags: (device) => [
    ['host\t0', 'host 1', 'höst=2', "host'3", 'host,4'][device] ?? null,
    device === 3 ? null : `region ${device}`,
    device === 1 ? null : device + 0.5,
  ],
  tableTags: (_, device) => [`bank "${device}"`, `ö,${device}'`],
};

/** Number of the device of that name from 1 on; 0 without a name. */
export function deviceNumber(name: string | null | undefined): number {
  if (!name) return 0;
  const names = Array.from({ length: lineDataset.devices }, (_, device) => lineDataset.deviceTags(device)[0]);
  return names.indexOf(name) + 1;
}
