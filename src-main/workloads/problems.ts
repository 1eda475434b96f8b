import { z } from 'zod';
import type { Problem } from '../../src-shared/contract/commands.ts';
import { nearest } from '../../src-shared/nearest.ts';

type Issue = z.core.$ZodIssue;

/**
 * What a schema has against a value, in words for people: ranges are named, unknown keys get the nearest known one.
 * @param base path of the value, empty at the top
 */
export function problemsOf(
  issues: readonly Issue[],
  value: unknown,
  base: string,
  schema: z.ZodObject,
): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const path = issue.path.reduce<string>(joinPath, base);
    if (issue.code !== 'unrecognized_keys') return [{ path, ...words(issue, schema, value) }];
    const known = Object.keys(schema.shape);
    return issue.keys.map((key) => {
      const guess = nearest(key, known);
      return {
        path: joinPath(path, key),
        message: `There is no key ${JSON.stringify(key)} here`,
        hint: guess ? `Did you mean ${guess}?` : `Keys are ${known.join(', ')}.`,
      };
    });
  });
}

function joinPath(path: string, part: PropertyKey): string {
  if (typeof part === 'number') return `${path}[${part}]`;
  return path === '' ? String(part) : `${path}.${String(part)}`;
}

function words(issue: Issue, schema: z.ZodObject, value: unknown): { message: string; hint: string | null } {
  const given = issue.path.reduce<unknown>(
    (at, part) => (typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined),
    value,
  );
  switch (issue.code) {
    case 'too_small':
    case 'too_big': {
      if ((issue.origin !== 'number' && issue.origin !== 'int') || !issue.message.startsWith('Too ')) break;
      return { message: `${shown(given)} is out of range: ${rangeOf(issue, schema)}`, hint: null };
    }
    case 'invalid_type': {
      if (given === undefined) return { message: 'This key is needed', hint: null };
      const wanted = typeWords[issue.expected];
      if (wanted && issue.message.startsWith('Invalid input'))
        return { message: `${shown(given)} is not ${wanted}`, hint: null };
      break;
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      const guess = typeof given === 'string' ? nearest(given, values) : null;
      return {
        message: `${shown(given)} is not one of ${values.join(', ')}`,
        hint: guess ? `Did you mean ${guess}?` : null,
      };
    }
  }
  return { message: issue.message, hint: null };
}

const typeWords: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
};

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const rangeSchema = z.object({
  properties: z.record(
    z.string(),
    z.object({ minimum: z.number().optional(), maximum: z.number().optional() }),
  ),
});

/** Both ends of a number's range; an issue names only the one that was passed. */
function rangeOf(issue: Issue, schema: z.ZodObject): string {
  const { properties } = rangeSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const { minimum, maximum } = properties[String(issue.path[0])] ?? {};
  const n = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
  const hasLeast = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER;
  const hasMost = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (hasLeast && hasMost) return `${n.format(minimum)} to ${n.format(maximum)}`;
  if (hasLeast) return `at least ${n.format(minimum)}`;
  return `at most ${n.format(maximum ?? Number.MAX_SAFE_INTEGER)}`;
}
