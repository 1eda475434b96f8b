import { cancelled, toAppError } from '../../../src-shared/errors.ts';
import type { MachineCheck } from '../../../src-shared/model/host.ts';
import { askSurvey, newMark, readSurvey, type SurveyItem } from '../inventory/survey.ts';
import { surveyItems } from '../inventory/surveyItems.ts';
import type { Remote } from '../remote.ts';
import { clockCheck, clockItems } from './clock.ts';
import { diskChecks } from './disk.ts';
import { type DiskLimits, diskScript } from './diskScript.ts';
import { linkCheck, roundTripCheck, throughputCheck } from './network.ts';

export interface CheckOptions {
  /** Where the database lies or will lie; it need not be there yet. */
  folder: string;
  limits?: DiskLimits;
  /** Seconds for the clock under load, and for each direction of the network. */
  seconds?: number;
  /** Told each check as soon as it is done. */
  onCheck?: (check: MachineCheck) => void;
}

/** About 30 s on a card, half of that on a disk; 128 MB of space and of wear. */
const usualLimits: DiskLimits = { sequentialSeconds: 8, seconds: 2, megabytes: 128 };

const asked = ['model', 'cpuinfo', 'lscpu', 'route', 'wireless', 'speed', 'wifi', 'tcp'];
/** More of them than the inventory sends, for the late ones among them. */
const pings: SurveyItem = ['ping', '[ -n "$client" ] && ping -n -c 20 -i 0.2 -W 1 "$client"'];

/**
 * Measures the machine: clock, network, disk. Nothing stays on it, also when the call is cancelled or the connection
 * breaks. What cannot be measured is a check that says why.
 * @throws AppError `cancelled`, `connection-lost`
 */
export async function machineChecks(
  remote: Remote,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<MachineCheck[]> {
  const { folder, limits = usualLimits, seconds = 2, onCheck = () => undefined } = options;
  const checks: MachineCheck[] = [];
  const add = (...more: MachineCheck[]) => {
    if (signal.aborted) throw cancelled();
    checks.push(...more);
    for (const one of more) onCheck(one);
  };
  const items = [...surveyItems.filter(([name]) => asked.includes(name)), pings];
  const survey = await askSurvey(remote, items, { signal });
  add(linkCheck(survey), roundTripCheck(survey));
  add(await throughputCheck(remote, survey, seconds, signal));
  add(clockCheck(await askSurvey(remote, clockItems(seconds), { signal })));
  add(...diskChecks(await measureDisk(remote, folder, limits, signal)));
  return checks;
}

/** As the user who signed in; as root only where he may write nowhere on that disk. */
async function measureDisk(remote: Remote, folder: string, limits: DiskLimits, signal: AbortSignal) {
  const mark = newMark();
  const measure = async (root: boolean) => {
    const { stdout } = await remote.script(diskScript(mark, folder, limits), { signal, root });
    return readSurvey(stdout, mark);
  };
  const survey = await measure(false);
  if (survey.succeeded('place')) return survey;
  try {
    return await measure(true);
  } catch (error) {
    const { code } = toAppError(error);
    if (code === 'password-needed' || code === 'wrong-password' || code === 'no-permission') return survey;
    throw error;
  }
}
