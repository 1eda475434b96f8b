import type { Difference, DifferenceArea } from '../model/comparison.ts';
import { type VerdictCode, verdictLabels } from '../model/verdict.ts';
import { inPlan } from './facts.ts';

type Grade = Pick<Difference, 'grade' | 'reason'>;
type Ungraded = Omit<Difference, 'grade' | 'reason'>;

const harmless = (reason: string): Grade => ({ grade: 'harmless', reason });
const explains = (reason: string): Grade => ({ grade: 'explains', reason });
const breaks = (reason: string): Grade => ({ grade: 'breaks', reason });

/** Parameters that say which data there is and what is asked of it: with others the figures are of another benchmark. */
const workKeys: ReadonlySet<string> = new Set([
  ...['useCase', 'scale', 'tables', 'tableSize', 'points', 'otherSeries', 'valueRange', 'selected'],
  ...['select', 'script', 'scripts', 'builtin', 'test', 'doLoad'],
]);
/** Parameters that only change what is printed or how often. */
const printKeys: ReadonlySet<string> = new Set([
  ...[
    'printInterval',
    'printResponses',
    'reportInterval',
    'reportingPeriod',
    'progress',
    'progressTimestamp',
  ],
  ...['percentile', 'histogram', 'quiet', 'reportPerCommand', 'failuresDetailed', 'verbosity'],
]);
/** Settings of PostgreSQL without a say in how fast it is. */
const harmlessSetting =
  /^(log_|lc_|port$|listen_addresses$|unix_socket|cluster_name$|DateStyle$|TimeZone$|timezone|client_encoding$|application_name$|default_text_search|external_pid_file$|hba_file$|ident_file$|config_file$|data_directory$|ssl_(cert|key|ca)|stats_temp_directory$|krb_server)/;

/**
 * What a difference does to a comparison, and why, as a clause that follows a colon: `not comparable: the loader ran on
 * another machine`.
 */
export function gradeDifference(difference: Ungraded): Grade {
  return graders[difference.area](difference);
}

const graders: Record<DifferenceArea, (difference: Ungraded) => Grade> = {
  target: ({ name }) =>
    name === 'Engine'
      ? explains('the databases are of another kind')
      : harmless('the target goes by another name; what it is stands below'),
  host: hostGrade,
  storage: ({ name }) =>
    name === 'Watched disk'
      ? explains('the data lies in another place')
      : explains('the data lies on another disk'),
  network: () => explains('requests and answers take another way'),
  cooling: () => explains('10 °C or more apart: a warm board is held back sooner'),
  plan: planGrade,
  seed: () => explains('other values of the same kind were written or asked for'),
  server: serverGrade,
  loader: ({ values }) =>
    values.includes(null)
      ? explains('where the loader ran is not known of all')
      : breaks("the loader ran on the server's machine on one side and apart from it on the other"),
  client: clientGrade,
  tool: () => explains('another version of Benchberry may load in another way'),
  health: healthGrade,
};

function hostGrade({ name }: Ungraded): Grade {
  if (name === 'Host') return harmless('the host goes by another name; what it is stands below');
  if (name === 'Stopped for the run') return harmless('what is stopped differs by what was on');
  if (name === 'Kept quiet') return explains('timers and services may have run beside one of them');
  if (name === 'Gate') return explains('one began although its host was not ready, or was not asked');
  return explains('the servers’ machines differ');
}

function planGrade({ name, values }: Ungraded): Grade {
  const key = name.split(' · ')[1];
  if (key === undefined || values.some((value) => value === inPlan))
    return explains('a step that only one has changes what the others find');
  if (key === 'dbName') return harmless('the database goes by another name');
  if (printKeys.has(key)) return harmless('only what is printed changes');
  if (workKeys.has(key)) return breaks(`the work is another: ${name}`);
  return explains('the plan asks for it');
}

function serverGrade({ name, values }: Ungraded): Grade {
  if (name === 'Server')
    return values.includes('not reached')
      ? breaks('a server was not reached')
      : explains('what is known of the servers comes from different sources');
  if (['Product', 'Version', 'Edition'].includes(name)) return explains('the servers are not of one version');
  if (name === 'Encryption') return explains('encryption takes time of the processor');
  if (harmlessSetting.test(name)) return harmless('a setting without a say in how fast it is');
  return explains('a setting of the server');
}

const otherMachine = breaks('the loader ran on another machine');

function clientGrade({ name, values }: Ungraded): Grade {
  if (name === 'Machine' && values.includes('not told')) return breaks('where the loader ran is not told');
  if (['Machine', 'Architecture', 'CPU', 'Cores'].includes(name)) return otherMachine;
  if (name === 'Memory') return harmless('the loader needs little memory');
  return explains('the loader’s machine has other software');
}

/** What a run that says this of itself is worth beside one that does not. */
const healthGrades: Partial<Record<VerdictCode, Grade>> = {
  failed: breaks('a run failed'),
  cancelled: breaks('a run was stopped before its end'),
  interrupted: breaks('a run was interrupted'),
  'rows-missing': breaks('rows are missing in a run'),
  'host-rebooted': breaks('a host was started anew in the middle of a run'),
  imported: breaks('figures of one were printed by another program'),
  published: breaks('figures of one are those of an article'),
  'client-bound': explains('the loader was the limit in a run: its server could have done more'),
};

function healthGrade({ name }: Ungraded): Grade {
  const known = Object.entries(healthGrades).find(([code]) => labelOf(code) === name);
  return known?.[1] ?? explains('a run says it of itself');
}

function labelOf(code: string): string | undefined {
  return Object.entries(verdictLabels).find(([known]) => known === code)?.[1];
}
