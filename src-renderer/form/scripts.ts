import type { Json } from './values.ts';

/** One of pgbench's scripts as a form holds it: built in by its name, or with a text of its own. */
export type ScriptDraft = { builtin: string; weight: Json } | { name: string; text: string; weight: Json };

/** What a value of kind `scripts` holds; what is no script is left out. */
export function scriptsOf(value: Json): ScriptDraft[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item): ScriptDraft[] => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return [];
    const { builtin, name, text, weight = 1 } = item;
    if (typeof builtin === 'string') return [{ builtin, weight }];
    return [
      { name: typeof name === 'string' ? name : '', text: typeof text === 'string' ? text : '', weight },
    ];
  });
}

/** As the plan has them: a weight of 1 goes without saying. */
export function scriptsValue(scripts: readonly ScriptDraft[]): Json {
  return scripts.map(({ weight, ...script }) => (weight === 1 ? script : { ...script, weight }));
}

/** A name that no other script has. */
export function freshName(scripts: readonly ScriptDraft[]): string {
  const taken = new Set(scripts.map((script) => ('text' in script ? script.name : '')));
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'script.sql' : `script${number}.sql`;
    if (!taken.has(name)) return name;
  }
}
