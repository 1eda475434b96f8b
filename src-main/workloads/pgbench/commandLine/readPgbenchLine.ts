import type { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import { partsOfEnvironment, partsOfName, type ServerParts, targetOf } from '../../commandLine/server.ts';
import type { CommandLineReader, Given, LeftOut, ReadLine } from '../../commandLine/tool.ts';
import { splitWords, type Word } from '../../commandLine/words.ts';
import { findBuiltin } from '../builtin.ts';
import { isPlainName } from '../run/logOptions.ts';
import { builtinProblem } from '../run/scripts.ts';
import { type GivenOption, readOptions } from './getopt.ts';
import type { ValueKind } from './options.ts';

type Json = z.core.util.JSONType;
type Script = { builtin: string; weight?: number } | { name: string; text: string; weight?: number };

/** A command line of pgbench, any version from 9.5 on, as a plan: `-i` makes the tables, all else runs scripts on them. */
export const readPgbenchLine: CommandLineReader = (words, given) => new PgbenchLine(given).read(words);

class PgbenchLine {
  readonly #given: Given;
  readonly #leftOut: LeftOut[] = [];
  readonly #missingFiles: string[] = [];
  readonly #server: ServerParts;
  readonly #scripts: Script[] = [];
  readonly #definitions: string[] = [];
  #isInit = false;
  /** `-d` has named the database. */
  #isNamed = false;
  #randomSeed: number | null = null;
  #logPrefix: string | null = null;

  constructor(given: Given) {
    this.#given = given;
    this.#server = partsOfEnvironment(given.environment, this.#leftOut);
  }

  read(words: readonly Word[]): ReadLine {
    const { options, others } = readOptions(words);
    this.#isInit = options.some(
      ({ option }) => option?.use.kind === 'special' && option.use.name === 'initialize',
    );
    const parameters: Record<string, Json> = {};
    for (const option of options) Object.assign(parameters, this.#take(option));
    this.#takeDatabase(others);
    this.#takeSeed(parameters);
    const { database } = this.#server;
    const own = { ...(database !== undefined && { dbName: database }), ...parameters };
    const step = this.#isInit ? { 'pgbench.init': own } : { 'pgbench.run': this.#run(own) };
    return {
      name: this.#isInit ? 'pgbench -i' : `pgbench ${this.#scriptNames()}`,
      target: targetOf(this.#server),
      steps: [step],
      leftOut: this.#leftOut,
      missingFiles: this.#missingFiles,
    };
  }

  #run(own: Record<string, Json>): Record<string, Json> {
    return {
      ...(this.#scripts.length > 0 && { scripts: this.#scripts }),
      ...own,
      ...(this.#logPrefix !== null && { logPrefix: this.#logPrefix }),
      ...(this.#definitions.length > 0 && { define: this.#definitions.map(asWord).join(' ') }),
    };
  }

  #scriptNames(): string {
    const names = this.#scripts.map((script) => ('text' in script ? script.name : script.builtin));
    return names.length === 0 ? 'tpcb-like' : names.join(', ');
  }

  /** What an option says of the step. */
  #take(given: GivenOption): Record<string, Json> {
    const { option, value, shown, expands, problem } = given;
    const skip = (reason: string): Record<string, Json> => {
      this.#leftOut.push({ option: shown, reason });
      return {};
    };
    if (problem !== null) return skip(problem);
    if (option === null) return skip('pgbench has no such option');
    if (option.use.kind === 'left-out') return skip(option.use.reason);
    if (expands) return skip('only a shell can work it out: write its value');
    if (option.use.kind === 'special') {
      const reason = this.#special(option.use.name, value ?? '');
      return reason === null ? {} : skip(reason);
    }
    const { of, key, value: kind } = option.use;
    if (of === 'run' && this.#isInit) return skip('pgbench refuses it together with -i');
    if (of === 'init' && !this.#isInit) return skip('pgbench takes it only together with -i');
    const parsed = parsedValue(kind, value);
    return parsed === null ? skip(needs[kind]) : { [key]: parsed };
  }

  /** @returns why it is left out; null where it is taken */
  #special(name: string, value: string): string | null {
    switch (name) {
      case 'host':
      case 'port':
      case 'user':
        this.#server[name] = value;
        return null;
      case 'database':
        this.#isNamed = true;
        Object.assign(this.#server, partsOfName(value, this.#leftOut));
        return null;
      case 'seed':
        return this.#seed(value);
      case 'help':
        throw nothingToRun();
      case 'initialize':
        return null;
      default:
        return this.#isInit ? 'pgbench refuses it together with -i' : this.#ofRun(name, value);
    }
  }

  #ofRun(name: string, value: string): string | null {
    switch (name) {
      case 'builtin':
        return this.#builtin(value);
      case 'select-only':
      case 'simple-update':
        this.#scripts.push({ builtin: name });
        return null;
      case 'file':
        return this.#file(value);
      case 'log-prefix':
        return this.#logFiles(value);
      default:
        if (!/^[^=]+=./s.test(value)) return 'a definition is name=value';
        this.#definitions.push(value);
        return null;
    }
  }

  #builtin(value: string): string | null {
    if (value === 'list') throw nothingToRun();
    const { name, weight } = weighted(value);
    const problem = builtinProblem(name);
    if (problem !== null) return problem;
    const found = findBuiltin(name);
    this.#scripts.push({ builtin: 'found' in found ? name : found.name, ...weight });
    return null;
  }

  #file(value: string): string | null {
    const { name, weight } = weighted(value);
    const text = this.#given.files.get(name);
    this.#scripts.push({ name, text: text ?? '', ...weight });
    if (text !== undefined) return null;
    this.#missingFiles.push(name);
    return 'the file’s text is not known here: paste it into the step’s script';
  }

  /** The name is taken, its folder is not: a plan that comes from elsewhere must not write anywhere on the disk. */
  #logFiles(value: string): string | null {
    const name = value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1);
    if (!isPlainName(name)) return 'the name of log files is of letters, digits, _ - and points here';
    this.#logPrefix = name;
    return name === value
      ? null
      : `logs are written into the run’s own folder: only the name ${name} is taken`;
  }

  #seed(value: string): string | null {
    if (value === 'time' || value === 'rand') return null;
    const seed = /^\d+$/.test(value) ? Number(value) : 0;
    if (seed === 0) return 'a seed is time, rand or a whole number above 0';
    if (!Number.isSafeInteger(seed)) return 'seeds are below 2^53 here';
    this.#randomSeed = seed;
    return null;
  }

  #takeSeed(parameters: Record<string, Json>): void {
    const variable = this.#given.environment.get('PGBENCH_RANDOM_SEED');
    if (variable !== undefined && this.#randomSeed === null) {
      const reason = this.#seed(variable);
      if (reason !== null) this.#leftOut.push({ option: `PGBENCH_RANDOM_SEED=${variable}`, reason });
    }
    if (this.#randomSeed !== null && !this.#isInit) parameters.randomSeed = this.#randomSeed;
  }

  /** The first word that is no option names the database, unless `-d` has done so; pgbench refuses further ones. */
  #takeDatabase(others: readonly Word[]): void {
    const name = this.#isNamed ? undefined : others[0];
    const more = this.#isNamed ? others : others.slice(1);
    if (name?.expands)
      this.#leftOut.push({ option: name.text, reason: 'only a shell can work it out: write its value' });
    else if (name) Object.assign(this.#server, partsOfName(name.text, this.#leftOut));
    for (const word of more)
      this.#leftOut.push({ option: word.text, reason: 'pgbench takes one database and no more words' });
  }
}

const needs: Readonly<Record<ValueKind, string>> = {
  on: 'it takes no value',
  count: 'a whole number above 0 is needed',
  'zero-or-more': 'a whole number is needed',
  positive: 'a number above 0 is needed',
  share: 'a number above 0 and not above 1 is needed',
  text: 'a value is needed',
};

function parsedValue(kind: ValueKind, value: string | null): Json | null {
  if (kind === 'on') return true;
  if (value === null || value === '') return null;
  if (kind === 'text') return value;
  const number = Number(value);
  if (!/^[\d.]/.test(value) || !Number.isFinite(number)) return null;
  if (kind === 'positive') return number > 0 ? number : null;
  if (kind === 'share') return number > 0 && number <= 1 ? number : null;
  return Number.isSafeInteger(number) && number >= (kind === 'count' ? 1 : 0) ? number : null;
}

/** `name@weight`; an @ that no number follows belongs to the name. */
function weighted(value: string): { name: string; weight: { weight?: number } } {
  const [, name, weight] = /^([\s\S]*)@(\d+)$/.exec(value) ?? [];
  return name === undefined ? { name: value, weight: {} } : { name, weight: { weight: Number(weight) } };
}

/** As one word of a shell. */
function asWord(text: string): string {
  const [only] = splitWords(/['"\\]/.test(text) ? '' : text);
  return only?.text === text ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function nothingToRun(): AppError {
  return new AppError({
    code: 'bad-input',
    message: 'With this option pgbench prints something and runs nothing',
    hint: 'Paste a command line that initialises tables or runs scripts.',
  });
}
