import { expect, test } from 'vitest';
import { makeProvisioning } from '../store/testHost.ts';
import { makeInventory } from '../store/testInventory.ts';
import { dataPlace, type Known } from './dataPlace.ts';

const cluster = { version: '17', name: 'bench', port: 5433, running: true, dataFolder: '/mnt/ssd/bench' };
const docker = {
  version: { value: '26.1.5', raw: '' },
  arch: { value: null, raw: '' },
  memoryLimit: { value: null, raw: '' },
  rootFolder: { value: '/mnt/nvme/docker', raw: '' },
};
const bare = makeInventory({
  postgresClusters: [],
  ports: [],
  docker: { ...docker, version: { value: null, raw: '' } },
});
const known = (part: Partial<Known>): Known => ({
  port: 5433,
  inventory: bare,
  provisionings: [],
  server: null,
  ...part,
});
const server = {
  engine: 'postgresql',
  product: 'PostgreSQL',
  version: '17.5',
  versionText: '',
  edition: 'plain',
  dialect: 'postgresql',
  database: 'postgres',
  sizeBytes: 0,
  tls: null,
  roundTripUs: 100,
  settings: [],
  dataFolder: '/var/lib/postgresql/data',
  notes: [],
};

test('the cluster on that port, not the one beside it', () => {
  const other = { ...cluster, name: 'main', port: 5432, dataFolder: '/var/lib/postgresql/17/main' };
  const inventory = makeInventory({ postgresClusters: [other, cluster] });
  expect(dataPlace(known({ inventory }))).toEqual({
    folder: '/mnt/ssd/bench',
    how: 'of the cluster 17/bench on that port',
  });
});

test('what the server tells is its own view: in a container it is not the host’s', () => {
  expect(dataPlace(known({ server }))?.folder).toBe('/var/lib/postgresql/data');
  const inventory = makeInventory({ postgresClusters: [], ports: [], docker });
  expect(dataPlace(known({ inventory, server }))?.folder).toBe('/mnt/nvme/docker');
  // Docker is there, but it is known to be another program on that port.
  const native = makeInventory({
    postgresClusters: [],
    docker,
    ports: [{ port: 5433, process: 'postgres' }],
  });
  expect(dataPlace(known({ inventory: native, server }))?.folder).toBe('/var/lib/postgresql/data');
});

test('the folder chosen at the set-up of this port counts before all', () => {
  const provisioning = makeProvisioning({
    plan: {
      hostId: 'host-1',
      recipes: [
        { id: 'docker', parameters: { dataFolder: '/mnt/elsewhere' } },
        { id: 'database-in-docker', parameters: { port: 5433, dataFolder: '/mnt/ssd/timescaledb' } },
      ],
      before: '',
      after: '',
    },
  });
  const inventory = makeInventory({ postgresClusters: [], ports: [], docker });
  expect(dataPlace(known({ inventory, provisionings: [provisioning] }))?.folder).toBe('/mnt/ssd/timescaledb');
});

test('nothing is made up', () => {
  expect(dataPlace(known({}))).toBeNull();
  expect(dataPlace(known({ inventory: null, port: null }))).toBeNull();
  const stopped = makeInventory({
    postgresClusters: [{ ...cluster, running: false }],
    ports: [],
    docker: bare.docker,
  });
  expect(dataPlace(known({ inventory: stopped }))).toBeNull();
});
