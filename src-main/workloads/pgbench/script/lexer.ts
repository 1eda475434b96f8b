import { type ScriptText, syntaxError } from './syntaxError.ts';

export interface Token {
  kind: 'integer' | 'double' | 'variable' | 'word' | 'sign' | 'end';
  /** Without the colon of a variable; words in lower case. */
  text: string;
  /** In the script's text. */
  offset: number;
}

const nameStart = 'A-Za-z_\\u0080-\\uffff';
/** A variable's name: no digit first. */
export const variableName = new RegExp(`^[${nameStart}][${nameStart}0-9]*$`);

const blank = /(?:[ \t\r\f\v]|\\\r?\n)+/y;
const rules: readonly (readonly [Token['kind'], RegExp])[] = [
  ['variable', new RegExp(`:([${nameStart}0-9]+)`, 'y')],
  ['double', /((?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)/y],
  ['integer', /(\d+)/y],
  ['word', new RegExp(`([${nameStart}][${nameStart}0-9]*)`, 'y')],
  ['sign', /(<=|>=|<>|!=|<<|>>|[-+*/%=<>|#&~(),])/y],
];

/**
 * The tokens of an expression, to the end of its line or of the text. A backslash before the line's end continues it.
 * @returns tokens, the last one of kind `end`; its offset is where the line ends
 */
export function lexExpression(script: ScriptText, from: number, command: string): Token[] {
  const tokens: Token[] = [];
  let at = from;
  for (;;) {
    blank.lastIndex = at;
    if (blank.test(script.text)) at = blank.lastIndex;
    if (at >= script.text.length || script.text[at] === '\n') {
      tokens.push({ kind: 'end', text: '', offset: at });
      return tokens;
    }
    const token = match(script.text, at);
    if (token === null) throw syntaxError(script, at, `unexpected character (${script.text[at]})`, command);
    tokens.push(token.token);
    at = token.end;
  }
}

function match(text: string, offset: number): { token: Token; end: number } | null {
  for (const [kind, rule] of rules) {
    rule.lastIndex = offset;
    const [, found] = rule.exec(text) ?? [];
    if (found !== undefined)
      return {
        token: { kind, text: kind === 'word' ? found.toLowerCase() : found, offset },
        end: rule.lastIndex,
      };
  }
  return null;
}
