import { z } from 'zod';
import { builtinScripts, findBuiltin } from '../builtin.ts';
import type { ScriptText } from '../script/syntaxError.ts';

/** Scripts of one run that pgbench takes at most. */
export const mostScripts = 128;

/** Of one script. Each run keeps its plan, and each check of a plan reads them all. */
const mostCharacters = 1_000_000;

const weight = z.int('A whole number').min(0, 'Not below 0').max(2_147_483_647).default(1);

/** One of pgbench's own scripts, or one whose text the plan holds. */
export const scriptSchema = z.union([
  z.strictObject({
    /** A name or the beginning of one. */
    builtin: z.string().check((context) => {
      const problem = builtinProblem(context.value);
      if (problem !== null) context.issues.push({ code: 'custom', input: context.value, message: problem });
    }),
    weight,
  }),
  z.strictObject({
    /** As reports call it: the file's name. */
    name: z.string().trim().min(1, 'A script needs a name'),
    text: z
      .string()
      .max(mostCharacters, `A script has at most ${mostCharacters.toLocaleString('en')} characters`),
    weight,
  }),
]);
export type Script = z.output<typeof scriptSchema>;

export function builtinProblem(name: string): string | null {
  const found = findBuiltin(name);
  if (!('found' in found)) return null;
  const names = builtinScripts.map((script) => script.name).join(', ');
  return found.found === 0
    ? `No built-in script has the name ${JSON.stringify(name)}: there are ${names}`
    : `${found.found} built-in scripts begin with ${JSON.stringify(name)}: ${names}`;
}

/** A script with the name that reports give it. */
export function scriptText(script: Script): ScriptText {
  if ('text' in script) return { name: script.name, text: script.text };
  const found = findBuiltin(script.builtin);
  if ('found' in found) throw new Error(`${script.builtin} was not checked by its schema`);
  return { name: found.description, text: found.text };
}
