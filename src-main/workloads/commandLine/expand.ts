import type { Word } from './words.ts';

const reference = /\$\{([A-Za-z_]\w*)(?::?-([^}]*))?\}|\$([A-Za-z_]\w*)/g;
const secret = /pass|pwd|secret|token|key/i;

/**
 * A word with the variables of the text put in: `$NAME`, `${NAME}` and `${NAME:-default}`. It stays as it is where anything
 * else is left for a shell, or where a variable's name says that it holds a secret.
 */
export function expanded(word: Word, variables: ReadonlyMap<string, string>): Word {
  if (!word.expands) return word;
  const text = word.text.replace(
    reference,
    (whole, name: string | undefined, byDefault: string | undefined, plain: string | undefined) => {
      const variable = name ?? plain ?? '';
      if (secret.test(variable)) return whole;
      return variables.get(variable) ?? byDefault ?? whole;
    },
  );
  return /[$`]/.test(text) ? word : { ...word, text, expands: false };
}
