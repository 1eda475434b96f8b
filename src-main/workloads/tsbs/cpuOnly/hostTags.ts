import type { GoRandom } from '../random/goRandom.ts';

/** The tags of TSBS's simulated hosts, in output order. */
export const hostTagNames = [
  'hostname',
  'region',
  'datacenter',
  'rack',
  'os',
  'arch',
  'team',
  'service',
  'service_version',
  'service_environment',
] as const;

const regions: readonly { name: string; datacenters: string }[] = [
  { name: 'us-east-1', datacenters: 'abce' },
  { name: 'us-west-1', datacenters: 'ab' },
  { name: 'us-west-2', datacenters: 'abc' },
  { name: 'eu-west-1', datacenters: 'abc' },
  { name: 'eu-central-1', datacenters: 'ab' },
  { name: 'ap-southeast-1', datacenters: 'ab' },
  { name: 'ap-southeast-2', datacenters: 'ab' },
  { name: 'ap-northeast-1', datacenters: 'ac' },
  { name: 'sa-east-1', datacenters: 'abc' },
];
const systems = ['Ubuntu16.10', 'Ubuntu16.04LTS', 'Ubuntu15.10'];
const architectures = ['x64', 'x86'];
const teams = ['SF', 'NYC', 'LON', 'CHI'];
const environments = ['production', 'staging', 'test'];

const drawn = 9;

/** The tags of all hosts as small numbers, nine bytes a host. */
export class HostTags {
  readonly #values: Uint8Array;

  constructor(hosts: number) {
    this.#values = new Uint8Array(hosts * drawn);
  }

  /** Draws the tags of one host in TSBS's order, which is not the order of the output. */
  draw(host: number, random: GoRandom): void {
    const region = random.intn(regions.length);
    const datacenter = random.intn(regions[region]?.datacenters.length ?? 0);
    const rack = random.int63n(100);
    const architecture = random.intn(architectures.length);
    const system = random.intn(systems.length);
    const service = random.int63n(20);
    const version = random.int63n(2);
    const environment = random.intn(environments.length);
    const team = random.intn(teams.length);
    this.#values.set(
      [region, datacenter, rack, system, architecture, team, service, version, environment],
      host * drawn,
    );
  }

  /** The tags of a host as texts, in the order of `hostTagNames`. */
  of(host: number): readonly string[] {
    const at = (i: number) => this.#values[host * drawn + i] ?? 0;
    const region = regions[at(0)];
    const name = region?.name ?? '';
    const text = (list: readonly string[], i: number) => list[at(i)] ?? '';
    return [
      hostName(host),
      name,
      `${name}${region?.datacenters[at(1)] ?? ''}`,
      String(at(2)),
      text(systems, 3),
      text(architectures, 4),
      text(teams, 5),
      String(at(6)),
      String(at(7)),
      text(environments, 8),
    ];
  }
}

function hostName(host: number): string {
  return `host_${host}`;
}
