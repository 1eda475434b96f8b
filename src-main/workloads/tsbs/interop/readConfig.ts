import { entryOf } from '../../../../src-shared/entryOf.ts';
import { type PlanStep, stepParameters } from '../../../../src-shared/model/plan.ts';
import { targetOf } from '../../commandLine/server.ts';
import type { LeftOut } from '../../commandLine/tool.ts';
import { loadStep } from '../load/loadStep.ts';
import { kindOf } from './flags.ts';
import { type Leaf, type Mistake, readLenientYaml } from './lenientYaml.ts';
import { questdbTarget } from './questdbTarget.ts';
import { type Parameters, type Setting, Settings, type Taken } from './settings.ts';
import { fileLoad, overTcp, simulatedLoad, simulatorDefaults } from './stepOf.ts';
import {
  configTarget,
  forgottenInitialScale,
  questdbUses,
  runnerUses,
  simulatorUses,
  timescaleUses,
  type Uses,
  type ValueKind,
} from './uses.ts';

/** What a configuration of `tsbs_load` says, as parts of a plan. */
export interface ReadConfig {
  name: string;
  /** Connection URL of the server that it names, without a password; null where it names none. */
  target: string | null;
  step: PlanStep;
  taken: Taken[];
  leftOut: LeftOut[];
  mistakes: Mistake[];
}

/** Keys of a configuration, dotted up to the last part, and what becomes of that. */
const sections: Readonly<Record<string, Uses>> = {
  'data-source': { type: { kind: 'special', name: 'source', value: 'text' } },
  'data-source.file': { location: { kind: 'special', name: 'file', value: 'text' } },
  'data-source.simulator': { ...simulatorUses, 'initial-scale': forgottenInitialScale },
  loader: { target: configTarget },
  'loader.runner': runnerUses,
  'loader.db-specific': { ...timescaleUses, ...questdbUses },
};

const knownKeys = new Set(
  Object.entries(sections).flatMap(([section, uses]) => [...section.split('.'), ...Object.keys(uses)]),
);

/**
 * A configuration as TSBS reads it: `tsbs_load load <database> --config=…`. Defaults are those of TSBS.
 * @param flags that win over its keys
 * @throws AppError `yaml-syntax` where nothing of it can be read
 */
export function readConfig(text: string, file: string | null, flags: readonly Setting[] = []): ReadConfig {
  const { leaves, mistakes } = readLenientYaml(text, file, knownKeys);
  return { ...readKeys([...leaves.map(settingOf), ...flags]), mistakes };
}

/** How the value of a key is written; null for one that is not known. */
export function keyKind(key: string): ValueKind | null {
  const { uses, name } = sectionOf(key);
  return uses === undefined ? null : kindOf(uses, name);
}

/** The keys of a configuration, which may come from flags too: `--loader.runner.workers=4`. */
export function readKeys(given: readonly Setting[]): Omit<ReadConfig, 'mistakes'> {
  const settings = new Settings(loadStep.parameters);
  for (const setting of given) takeKey(settings, setting);
  const [url, ilp] = [settings.special('url'), settings.special('ilp')];
  const { parameters, server } = settings;
  const isFile = settings.special('source')?.toUpperCase() === 'FILE';
  const isQuestdb = url !== null || ilp !== null;
  const own = isQuestdb ? { ...parameters, ...overTcp } : parameters;
  const step = isFile
    ? fileLoad(settings.special('file') ?? defaultFile, own)
    : simulatedLoad(own, simulatorDefaults);
  const isUnused = ({ option }: Taken) => (isFile ? ofSimulator : ofFile).test(option);
  const reason = isFile ? 'the type is FILE: nothing is simulated' : 'the type is SIMULATOR: no file is read';
  return {
    name: nameOf(stepParameters(step)),
    target: isQuestdb ? questdbTarget(url, ilp) : targetOf(server, server.database),
    step,
    taken: settings.taken.filter((taken) => !isUnused(taken)),
    leftOut: [
      ...settings.leftOut,
      ...settings.taken.filter(isUnused).map(({ option }) => ({ option, reason })),
    ],
  };
}

/** Where TSBS looks for a file that is not named. */
const defaultFile = './file-from-tsbs-generate-data';
const ofSimulator = /^(?:--)?data-source\.simulator\./i;
const ofFile = /^(?:--)?data-source\.file\./i;

/** The last part of a key is the option, what is before it the section; TSBS reads keys whatever their case. */
function sectionOf(key: string): { section: string; uses: Uses | undefined; name: string } {
  const lower = key.toLowerCase();
  const dot = lower.lastIndexOf('.');
  const section = lower.slice(0, Math.max(dot, 0));
  return { section, uses: entryOf(sections, section), name: lower.slice(dot + 1) };
}

function takeKey(settings: Settings, setting: Setting): void {
  const key = setting.name.toLowerCase();
  const { section, uses, name } = sectionOf(key);
  if (uses !== undefined) settings.take({ ...setting, name }, uses, section);
  // `runner:` with nothing below it.
  else if (setting.text !== '' || entryOf(sections, key) === undefined)
    settings.skip(setting, 'tsbs_load has no such key for TimescaleDB or QuestDB');
}

function settingOf({ path, text, place }: Leaf): Setting {
  const name = path.join('.');
  return { name, shown: text === null ? name : `${name}: ${text}`, text: text ?? '', place };
}

/** A plan's name, from the parameters of its load. */
export function nameOf({ useCase, scale, file }: Parameters): string {
  if (typeof file === 'string') return `TSBS ${file.split(/[/\\]/).at(-1)}`.slice(0, 200);
  return `TSBS ${String(useCase ?? 'cpu-only')}, scale ${String(scale ?? 1)}`;
}
