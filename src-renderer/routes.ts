/**
 * Every address of the app, behind `#` in the location: it works the same under `app://`, `serve` and a test. Patterns
 * are for the router, `paths` are for links; nobody writes an address by hand.
 */
export const patterns = {
  home: '/',
  hosts: '/hosts',
  newHost: '/hosts/new',
  host: '/hosts/:id',
  editHost: '/hosts/:id/edit',
  /** Before the patterns of a host: a rack may have any name. */
  rack: '/hosts/rack/:name',
  provisionRack: '/hosts/rack/:name/provision/:ids?',
  provision: '/hosts/:id/provision',
  provisioning: '/hosts/:id/provision/:provisioning',
  targets: '/targets',
  newTarget: '/targets/new',
  target: '/targets/:id',
  plans: '/plans',
  newPlan: '/plans/new',
  newPlanOn: '/plans/new/:target',
  plan: '/plans/:id',
  runs: '/runs',
  run: '/runs/:id',
  rackRun: '/runs/rack/:id',
  series: '/runs/series/:id',
  compareNothing: '/compare',
  compare: '/compare/:ids',
  settings: '/settings',
} as const;

/**
 * Part of an address. The router reads addresses with `decodeURI`, which leaves what has a meaning in one encoded: what has
 * none behind `#` stays as it is, such as the colon in a sample's id.
 */
function segment(text: string): string {
  return encodeURIComponent(text).replace(/%(?:3A|3B|40|26|3D|2B|24|2C)/g, decodeURIComponent);
}

export const paths = {
  home: '/',
  hosts: '/hosts',
  newHost: '/hosts/new',
  host: (id: string) => `/hosts/${segment(id)}`,
  editHost: (id: string) => `/hosts/${segment(id)}/edit`,
  /** The wizard: at its recipes, or at a plan that was made before. */
  provision: (id: string, provisioning?: string) =>
    `/hosts/${segment(id)}/provision${provisioning === undefined ? '' : `/${segment(provisioning)}`}`,
  /** Hosts that share a rack's name. */
  rack: (name: string) => `/hosts/rack/${segment(name)}`,
  /** All hosts of a rack side by side: at the recipes, or at the plans that were made of them. */
  provisionRack: (name: string, ids: readonly string[] = []) =>
    `/hosts/rack/${segment(name)}/provision${ids.length === 0 ? '' : `/${ids.map(segment).join(',')}`}`,
  targets: '/targets',
  newTarget: '/targets/new',
  target: (id: string) => `/targets/${segment(id)}`,
  plans: '/plans',
  newPlan: '/plans/new',
  /** With a target chosen already, by its name. */
  newPlanOn: (target: string) => `/plans/new/${segment(target)}`,
  plan: (id: string) => `/plans/${segment(id)}`,
  runs: '/runs',
  run: (id: string) => `/runs/${segment(id)}`,
  rackRun: (id: string) => `/runs/rack/${segment(id)}`,
  series: (id: string) => `/runs/series/${segment(id)}`,
  /** Keys of sides (`model/sideKey.ts`) in the order of the columns, and the place of the base; none opens the empty screen. */
  compare: (keys: readonly string[] = [], base = 0) =>
    keys.length === 0
      ? '/compare'
      : `/compare/${keys.map((key, i) => `${i > 0 && i === base ? '*' : ''}${segment(key)}`).join(',')}`,
  settings: '/settings',
} as const;

/** The `:ids` of a pattern, which the router has decoded already, as a list. */
export function parseIds(parameter: string): string[] {
  return parameter.split(',').filter((part) => part !== '');
}

/** What `paths.compare` put into an address: each side once, and the place of the base. */
export function parseSides(parameter: string): { keys: string[]; base: number } {
  const marked = parseIds(parameter);
  const keys = [...new Set(marked.map((key) => key.replace(/^\*/, '')))];
  const base = marked.find((key) => key.startsWith('*'))?.slice(1);
  return { keys, base: base === undefined ? 0 : Math.max(0, keys.indexOf(base)) };
}
