import type { Word } from '../../commandLine/words.ts';
import { type PgbenchOption, pgbenchOptions } from './options.ts';

/** An option as it stands in the line; `option` is null for one that pgbench does not know. */
export interface GivenOption {
  option: PgbenchOption | null;
  value: string | null;
  /** As it was written. */
  shown: string;
  /** Only a shell can work its value out. */
  expands: boolean;
  /** What is wrong with it; null where nothing is. */
  problem: string | null;
}

/**
 * Sorts options from other words, as GNU getopt_long does: options may stand anywhere, short ones in a cluster (`-nS`), with
 * their value attached (`-c10`) or behind; long ones with `=` or a blank, cut short as long as they are unmistakable.
 * Behind `--` there are no more options.
 */
export function readOptions(words: readonly Word[]): { options: GivenOption[]; others: Word[] } {
  const options: GivenOption[] = [];
  const others: Word[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    if (word.text === '--') {
      others.push(...words.slice(at + 1));
      break;
    }
    if (!word.text.startsWith('-') || word.text === '-') {
      others.push(word);
      continue;
    }
    const read = word.text.startsWith('--')
      ? longOption(word, words[at + 1])
      : shortOptions(word, words[at + 1]);
    options.push(...read.options);
    if (read.tookNext) at++;
  }
  return { options, others };
}

interface Read {
  options: GivenOption[];
  tookNext: boolean;
}

function longOption(word: Word, next: Word | undefined): Read {
  const [, name = '', attached] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word.text) ?? [];
  const exact = pgbenchOptions.filter(({ long }) => long === name);
  const found = exact.length > 0 ? exact : pgbenchOptions.filter(({ long }) => long?.startsWith(name));
  const [option, ...more] = found;
  if (option === undefined || more.length > 0) {
    const problem = option ? `it may be ${found.map(({ long }) => `--${long}`).join(' or ')}` : null;
    return { options: [given(null, null, word, word.text, problem)], tookNext: false };
  }
  if (!option.takesValue) {
    const problem = attached === undefined ? null : 'it takes no value';
    return { options: [given(option, null, word, word.text, problem)], tookNext: false };
  }
  if (attached !== undefined)
    return { options: [given(option, attached, word, word.text, null)], tookNext: false };
  return withNext(option, word, word.text, next);
}

function shortOptions(word: Word, next: Word | undefined): Read {
  const options: GivenOption[] = [];
  const { text } = word;
  for (let at = 1; at < text.length; at++) {
    const flag = `-${text[at]}`;
    const option = pgbenchOptions.find(({ short }) => short === text[at]) ?? null;
    if (!option?.takesValue) {
      options.push(given(option, null, word, flag, null));
      continue;
    }
    const attached = text.slice(at + 1);
    if (attached !== '')
      return {
        options: [...options, given(option, attached, word, `${flag}${attached}`, null)],
        tookNext: false,
      };
    const last = withNext(option, word, flag, next);
    return { options: [...options, ...last.options], tookNext: last.tookNext };
  }
  return { options, tookNext: false };
}

function withNext(option: PgbenchOption, word: Word, flag: string, next: Word | undefined): Read {
  if (next === undefined)
    return { options: [given(option, null, word, flag, 'a value is missing')], tookNext: false };
  return { options: [given(option, next.text, next, `${flag} ${next.text}`, null)], tookNext: true };
}

function given(
  option: PgbenchOption | null,
  value: string | null,
  { expands }: Word,
  shown: string,
  problem: string | null,
): GivenOption {
  return { option, value, shown, expands: expands && value !== null, problem };
}
