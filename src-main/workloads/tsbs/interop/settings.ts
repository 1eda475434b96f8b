import { z } from 'zod';
import { entryOf } from '../../../../src-shared/entryOf.ts';
import type { PlanStep } from '../../../../src-shared/model/plan.ts';
import { nearest } from '../../../../src-shared/nearest.ts';
import { partsOfName, type ServerParts } from '../../commandLine/server.ts';
import type { LeftOut } from '../../commandLine/tool.ts';
import { problemsOf } from '../../problems.ts';
import type { SpecialName, Use, Uses, ValueKind } from './uses.ts';

export type Parameters = PlanStep[string];
type Json = Parameters[string];

/** An option as it was given. */
export interface Setting {
  name: string;
  /** As it was written, for messages; a secret shows its name only. */
  shown: string;
  /** null: nothing but the name. */
  text: string | null;
  place?: NonNullable<LeftOut['place']>;
}

/** An option that is in the plan now. */
export interface Taken {
  option: string;
  /** Empty: it says what is so anyway. */
  parameter: string;
  value: Json;
}

const noPassword = 'a password has no place in a plan: it is asked for, and kept with the target';

/** An option whose value is a secret, be it one that TSBS has or not. */
const secretName = /^[\w.-]*(?:pass|pwd|secret|token)[\w-]*[=:\s]/i;

/** Sorts the options of one program into parameters of a step, the server they name, and what is left out. */
export class Settings {
  readonly parameters: Parameters = {};
  readonly server: ServerParts = {};
  readonly leftOut: LeftOut[];
  readonly taken: Taken[] = [];
  readonly #special = new Map<SpecialName, string>();
  readonly #step: z.ZodObject;

  /** @param step the parameters that the step has */
  constructor(step: z.ZodObject, leftOut: LeftOut[] = []) {
    this.#step = step;
    this.leftOut = leftOut;
  }

  special(name: SpecialName): string | null {
    return this.#special.get(name) ?? null;
  }

  /** @param whose for the message about an option that is not among `uses` */
  take(setting: Setting, uses: Uses, whose: string): void {
    const use = entryOf(uses, setting.name);
    if (use) this.#take(setting, use);
    else this.skip(setting, unknown(setting.name, uses, whose));
  }

  skip({ shown, place }: Pick<Setting, 'shown' | 'place'>, reason: string): void {
    const option = secretName.test(shown) ? nameOf(shown) : shown;
    this.leftOut.push({ option, reason, ...(place && { place }) });
  }

  #take(setting: Setting, use: Use): void {
    if (use.kind === 'secret') {
      if (setting.text !== '') this.skip(setting, noPassword);
      return;
    }
    if (use.kind === 'left-out') {
      if (use.anyway.includes(setting.text?.toLowerCase() ?? '')) this.#took(setting, '', null);
      else if (setting.text !== '') this.skip(setting, use.reason);
      return;
    }
    const value = readValue(use.value, setting.text);
    if (value === null) this.skip(setting, needs[use.value]);
    else if (use.kind === 'parameter') this.#parameter(setting, use, value);
    else if (use.kind === 'server') {
      this.server[use.part] = String(value);
      this.#took(setting, 'target', value);
    } else if (use.name === 'postgres') this.#postgres(setting, String(value));
    else {
      this.#special.set(use.name, String(value));
      this.#took(setting, entryOf(standsFor, use.name) ?? 'target', value);
    }
  }

  #took({ shown }: Setting, parameter: string, value: Json): void {
    this.taken.push({ option: shown, parameter, value });
  }

  #parameter(setting: Setting, { key, note }: Use & { kind: 'parameter' }, value: Json): void {
    const problem = this.#problem(key, value);
    if (problem !== null) {
      this.skip(setting, problem);
      return;
    }
    this.parameters[key] = value;
    this.#took(setting, key, value);
    if (note !== undefined) this.skip(setting, note);
  }

  /** What the step has against a value; null where it takes it. */
  #problem(key: string, value: Json): string | null {
    const field = entryOf(this.#step.shape, key);
    if (field === undefined) return 'the step has no such parameter';
    const parsed = z.object({ [key]: field }).safeParse({ [key]: value });
    if (parsed.success) return null;
    const [problem] = problemsOf(parsed.error.issues, { [key]: value }, '', this.#step);
    return (
      [problem?.message, problem?.hint].filter(Boolean).join('. ') || 'the step does not take this value'
    );
  }

  /** libpq's parameters; TSBS has options of its own for host, database and user, and drops these. */
  #postgres(setting: Setting, text: string): void {
    if (!text.includes('=')) {
      if (text.trim() !== '') this.skip(setting, 'it looks like sslmode=disable port=5433');
      return;
    }
    const leftOut: LeftOut[] = [];
    const { port, sslmode } = partsOfName(text, leftOut);
    if (port !== undefined) this.server.port ??= port;
    if (sslmode !== undefined) this.server.sslmode = sslmode;
    if (port !== undefined || sslmode !== undefined) this.#took(setting, 'target', text);
    for (const { option, reason } of leftOut)
      this.skip({ ...setting, shown: `${nameOf(setting.shown)}: ${option}` }, reason);
  }
}

/** What options that are read by themselves become, where that is not the target. */
const standsFor: Partial<Record<SpecialName, string>> = {
  ...{ file: 'file', source: '', 'query-type': 'types', config: '' },
};

/** Without its value. */
function nameOf(shown: string): string {
  return shown.replace(/[=:\s].*$/s, '');
}

function unknown(name: string, uses: Uses, whose: string): string {
  const guess = nearest(name, Object.keys(uses));
  return `${whose} has no such option${guess === null ? '' : `: did you mean ${guess}?`}`;
}

const needs: Readonly<Record<ValueKind, string>> = {
  whole: 'a whole number is needed, below 2^53',
  number: 'a number is needed',
  switch: 'true or false is needed',
  duration: 'a duration is needed, such as 10s or 1m30s',
  text: 'a value is needed',
};

/** null where the text is no such value. A duration without a unit is nanoseconds, as for Go. */
function readValue(kind: ValueKind, text: string | null): Json | null {
  if (kind === 'switch') return text === null ? true : switchOf(text);
  if (text === null) return null;
  if (kind === 'text') return text;
  if (kind === 'duration') return /^\d+$/.test(text) ? `${text}ns` : text;
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return null;
  if (kind === 'number') return number;
  return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(number) ? number : null;
}

/** As Go reads a truth. */
function switchOf(text: string): boolean | null {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text) ? false : null;
}
