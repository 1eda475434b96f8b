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
  compareNothing: '/compare',
  compare: '/compare/:ids',
  settings: '/settings',
} as const;

export const paths = {
  home: '/',
  hosts: '/hosts',
  newHost: '/hosts/new',
  host: (id: string) => `/hosts/${encodeURIComponent(id)}`,
  editHost: (id: string) => `/hosts/${encodeURIComponent(id)}/edit`,
  /** The wizard: at its recipes, or at a plan that was made before. */
  provision: (id: string, provisioning?: string) =>
    `/hosts/${encodeURIComponent(id)}/provision${provisioning === undefined ? '' : `/${encodeURIComponent(provisioning)}`}`,
  /** Hosts that share a rack's name. */
  rack: (name: string) => `/hosts/rack/${encodeURIComponent(name)}`,
  /** All hosts of a rack side by side: at the recipes, or at the plans that were made of them. */
  provisionRack: (name: string, ids: readonly string[] = []) =>
    `/hosts/rack/${encodeURIComponent(name)}/provision${ids.length === 0 ? '' : `/${ids.map(encodeURIComponent).join(',')}`}`,
  targets: '/targets',
  newTarget: '/targets/new',
  target: (id: string) => `/targets/${encodeURIComponent(id)}`,
  plans: '/plans',
  newPlan: '/plans/new',
  /** With a target chosen already, by its name. */
  newPlanOn: (target: string) => `/plans/new/${encodeURIComponent(target)}`,
  plan: (id: string) => `/plans/${encodeURIComponent(id)}`,
  runs: '/runs',
  run: (id: string) => `/runs/${encodeURIComponent(id)}`,
  rackRun: (id: string) => `/runs/rack/${encodeURIComponent(id)}`,
  /** Ids in the order of the columns; none opens the empty screen. */
  compare: (ids: readonly string[] = []) =>
    ids.length === 0 ? '/compare' : `/compare/${ids.map(encodeURIComponent).join(',')}`,
  settings: '/settings',
} as const;

/** The `:ids` of `patterns.compare`, which the router has decoded already, as a list. */
export function parseIds(parameter: string): string[] {
  return parameter.split(',').filter((part) => part !== '');
}
