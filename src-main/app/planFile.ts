import { stringify } from 'yaml';
import type { Problem } from '../../src-shared/contract/commands.ts';
import { AppError } from '../../src-shared/errors.ts';
import { type Plan, planSchema } from '../../src-shared/model/plan.ts';
import { nearest } from '../../src-shared/nearest.ts';
import { type Path, parseYaml, spaceWords, type YamlText } from './yamlText.ts';

/** The steps that a plan can have, and the parameters that each knows. */
export interface PlanVocabulary {
  steps: readonly { id: string; keys: readonly string[] }[];
  /** Everything that is wrong with a plan whose keys are right. */
  check(plan: unknown): readonly Problem[];
}

/**
 * A plan from the text of its file.
 * @throws AppError `yaml-syntax`, `unknown-key` (with the nearest name), `bad-input`; each with file, line and column
 */
export function readPlanFile(text: string, file: string | null, vocabulary: PlanVocabulary): Plan {
  const yaml = parseYaml(text, file);
  refuseUnknownKeys(yaml, vocabulary);
  const value = withoutNulls(yaml.value);
  const [problem] = vocabulary.check(value);
  if (problem) {
    throw badValue(yaml, problemPath(problem.path, value), problem.message, problem.hint, vocabulary);
  }
  const parsed = planSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).filter((part) => typeof part !== 'symbol');
  throw badValue(yaml, path, issue?.message ?? 'This is no plan', null, vocabulary);
}

/** `tsbs.load:` with nothing after it is a step without parameters. */
function withoutNulls(plan: unknown): unknown {
  if (!(plan instanceof Object) || Array.isArray(plan)) return plan;
  const steps = child(plan, 'steps');
  if (!Array.isArray(steps)) return plan;
  const filled = steps.map((step: unknown) =>
    keysOf(step)?.every((id) => child(step, id) === null)
      ? Object.fromEntries((keysOf(step) ?? []).map((id) => [id, {}]))
      : step,
  );
  return { ...plan, steps: filled };
}

/** The plan as the text of a file: reading it again gives the same plan. */
export function writePlanFile(plan: Plan): string {
  const { version, name, target, steps, repeat, telemetry, quietHost, settle, budget, thresholds } = plan;
  return stringify(
    {
      version,
      name,
      target,
      steps,
      repeat,
      ...(telemetry !== undefined && { telemetry }),
      ...(quietHost !== undefined && { quietHost }),
      ...(settle !== undefined && { settle }),
      ...(budget !== undefined && { budget }),
      ...(thresholds !== undefined && { thresholds }),
    },
    { version: '1.2', schema: 'core', lineWidth: 0 },
  );
}

function refuseUnknownKeys(yaml: YamlText, vocabulary: PlanVocabulary): void {
  const { steps } = vocabulary;
  const plan = keysOf(yaml.value);
  if (plan === null) {
    throw badValue(
      yaml,
      [],
      'This is no plan: a plan is a map with version, name and steps',
      null,
      vocabulary,
    );
  }
  refuseUnknown(yaml, [], plan, Object.keys(planSchema.shape), 'a plan');
  for (const [index, step] of itemsOf(child(yaml.value, 'steps')).entries()) {
    // What is no map is refused with its place by the plan's schema.
    const ids = keysOf(step) ?? [];
    const known = steps.map(({ id }) => id);
    refuseUnknown(yaml, ['steps', index], ids, known, 'the steps');
    for (const id of ids) {
      const parameters = steps.find((candidate) => candidate.id === id)?.keys ?? [];
      refuseUnknown(yaml, ['steps', index, id], keysOf(child(step, id)) ?? [], parameters, id);
    }
  }
}

/** Own keys of a map, `__proto__` included, which zod's records leave out; null of anything else. */
function keysOf(value: unknown): string[] | null {
  return value instanceof Object && !Array.isArray(value) ? Object.keys(value) : null;
}
function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
function child(value: unknown, key: string | number): unknown {
  if (!(value instanceof Object)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

/** Top keys of TSBS's own configuration, which people have at hand. */
const tsbsKeys = ['data-source', 'loader'];

function refuseUnknown(
  yaml: YamlText,
  path: Path,
  keys: readonly string[],
  known: readonly string[],
  where: string,
): void {
  const key = keys.find((name) => !known.includes(name));
  if (key === undefined) return;
  const place = { ...yaml.placeOfKey(path, key), field: fieldName([...path, key]) };
  const glued = /^([\w.-]+):(.+)$/.exec(key);
  if (glued) {
    throw new AppError({
      code: 'yaml-syntax',
      place,
      ...spaceWords(glued[1] ?? '', (glued[2] ?? '').trim()),
    });
  }
  const near = tsbsKeys.includes(key) ? null : nearest(key, known);
  throw new AppError({
    code: 'unknown-key',
    message: `There is no key ${JSON.stringify(key)} in ${where}`,
    place,
    hint: tsbsKeys.includes(key)
      ? 'This looks like a configuration of tsbs_load: benchberry import tsbs makes a plan of it.'
      : near === null
        ? `Known: ${known.join(', ')}.`
        : `Did you mean ${near}?`,
  });
}

function badValue(
  yaml: YamlText,
  path: Path,
  message: string,
  hint: string | null,
  { steps }: PlanVocabulary,
): AppError {
  const value = path.reduce(child, yaml.value);
  const place = { ...yaml.placeOf(path), field: fieldName(path) };
  // `scale:40` alone on its line is a text where keys with values are wanted.
  const glued = typeof value === 'string' ? /(?:^|\s)([A-Za-z][\w.-]*):([^\s/].*)$/s.exec(value) : null;
  const known = [...Object.keys(planSchema.shape), ...steps.flatMap(({ id, keys }) => [id, ...keys])];
  if (glued && nearest(glued[1] ?? '', known) !== null) {
    return new AppError({
      code: 'yaml-syntax',
      place,
      ...spaceWords(glued[1] ?? '', (glued[2] ?? '').trim()),
    });
  }
  return new AppError({ code: 'bad-input', message, place, hint: hint ?? undefined });
}

/** `steps[0].tsbs.load.scale` as a path; a step's id has a dot of its own. */
function problemPath(field: string, plan: unknown): Path {
  const found = /^steps\[(\d+)\](?:\.(.*))?$/.exec(field);
  if (!found) return field === '' ? [] : field.split('.');
  const index = Number(found[1]);
  const rest = found[2] ?? '';
  const ids = keysOf(child(child(plan, 'steps'), index)) ?? [];
  const id = ids.find((key) => rest === key || rest.startsWith(`${key}.`));
  if (id === undefined) return ['steps', index];
  const key = rest.slice(id.length + 1);
  return ['steps', index, id, ...(key === '' ? [] : key.split(/[.[\]]+/).filter((part) => part !== ''))];
}

function fieldName(path: Path): string | undefined {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return text === '' ? undefined : text.replace(/^\./, '');
}
