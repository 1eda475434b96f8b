import type { Word } from './words.ts';

const reference = /\$\{([A-Za-z_]\w*)(?::?-([^}]{0,1000}))?\}|\$([A-Za-z_]\w*)/g;
/** Of a word. Variables of variables could become any length at all. */
const mostPutIn = 10_000;
const secret = /pass|pwd|secret|token|key/i;

/**
 * A word with the variables of the text put in: `$NAME`, `${NAME}` and `${NAME:-default}`. It stays as it is where anything
 * else is left for a shell, where a variable's name says that it holds a secret, or where it would become very long.
 */
export function expanded(word: Word, variables: ReadonlyMap<string, string>): Word {
  if (!word.expands) return word;
  let putIn = 0;
  const text = word.text.replace(
    reference,
    (whole, name: string | undefined, byDefault: string | undefined, plain: string | undefined) => {
      const variable = name ?? plain ?? '';
      if (secret.test(variable)) return whole;
      const value = variables.get(variable) ?? byDefault ?? whole;
      putIn += value.length;
      return putIn > mostPutIn ? whole : value;
    },
  );
  return /[$`]/.test(text) ? word : { ...word, text, expands: false };
}
