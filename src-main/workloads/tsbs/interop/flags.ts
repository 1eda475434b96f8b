import { entryOf } from '../../../../src-shared/entryOf.ts';
import type { Word } from '../../commandLine/words.ts';
import type { Setting, Settings } from './settings.ts';
import type { Uses, ValueKind } from './uses.ts';

/** A flag as Go's programs take it: `--name=value`, `--name value`, `-name …`; a switch has its value behind `=` only. */
export interface Flag extends Setting {
  /** Only a shell can work its value out. */
  expands: boolean;
}

/** Sorts flags from other words. @param kindOf how the value of a flag is written; null for one that is not known */
export function readFlags(
  words: readonly Word[],
  kindOf: (name: string) => ValueKind | null,
): { flags: Flag[]; others: Word[] } {
  const flags: Flag[] = [];
  const others: Word[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const [, name, value] = /^--?([A-Za-z][^=]*)(?:=([\s\S]*))?$/.exec(word.text) ?? [];
    if (name === undefined) {
      others.push(word);
      continue;
    }
    const next = words[at + 1];
    const takesNext = value === undefined && kindOf(name) !== 'switch' && next && !isFlag(next);
    if (takesNext) at += 1;
    const text = value ?? (takesNext ? next.text : null);
    flags.push({
      name,
      text,
      shown: takesNext ? `${word.text} ${next.text}` : word.text,
      expands: word.expands || (takesNext === true && next.expands),
    });
  }
  return { flags, others };
}

/** A number below zero is a value. */
function isFlag({ text }: Word): boolean {
  return /^--?[A-Za-z]/.test(text);
}

/** Takes the flags of a program; its other words, which TSBS passes over, are named. */
export function takeFlags(settings: Settings, words: readonly Word[], uses: Uses, program: string): void {
  const { flags, others } = readFlags(words, (name) => kindOf(uses, name));
  for (const flag of flags) {
    if (flag.expands && entryOf(uses, flag.name)?.kind !== 'secret')
      settings.skip(flag, 'only a shell can work it out: write its value');
    else settings.take(flag, uses, program);
  }
  for (const { text } of others)
    settings.skip({ shown: text }, 'TSBS passes over it: a switch has its value behind an equals sign');
}

export function kindOf(uses: Uses, name: string): ValueKind | null {
  const use = entryOf(uses, name);
  if (use === undefined) return null;
  return use.kind === 'secret' ? 'text' : use.value;
}
