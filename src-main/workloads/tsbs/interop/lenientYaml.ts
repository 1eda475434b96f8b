import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
} from 'yaml';
import { AppError } from '../../../../src-shared/errors.ts';
import { lineAt, notBlank, offsetOfLine, placeOf, placesIn, withoutLine } from './textLines.ts';

/** A value of the text with the keys that lead to it. */
export interface Leaf {
  path: readonly string[];
  /** null: the key has none. */
  text: string | null;
  place: { line: number; column: number };
}

/** A line that is no YAML, or not what it was meant to be. It is passed over. */
export interface Mistake {
  message: string;
  hint: string;
  line: number;
  column: number;
  /** Lines to put in its place; null where it cannot be told. */
  fix: string | null;
}

export interface LenientYaml {
  leaves: Leaf[];
  mistakes: Mistake[];
}

/** TSBS's own have 2 KB. */
const largestText = 64 * 1024;
const mostMistakes = 100;
/** Letters: for each mistake all of the text is read again. */
const mostRead = 256 * 1024;
const tooDeep = 'The file is nested too deeply';

/**
 * Reads maps of maps line by line as far as they can be read: a line that the parser stumbles over, or that has a key without
 * a space after its colon, is named with its likely fix and passed over; all other lines hold.
 * @param known keys by which a text is seen to hold further keys: `true time-index:false`
 * @throws AppError `yaml-syntax` where nothing in the text is a map, or too much is wrong
 */
export function readLenientYaml(text: string, file: string | null, known: ReadonlySet<string>): LenientYaml {
  if (text.length > largestText) throw notYaml('The file is larger than 64 KiB', file);
  // A tab for a blank keeps every place as it is.
  const tabs = /^[ \t]*\t/m.exec(text);
  let rest = text.replace(/^[ \t]+/gm, (indent) => indent.replaceAll('\t', ' '));
  const mistakes: Mistake[] = [];
  if (tabs) {
    const offset = tabs.index + tabs[0].indexOf('\t');
    mistakes.push(mistakeOf(text, offset, 'A tab is used for indenting', 'Indent with spaces.', null));
  }
  for (;;) {
    const document = compose(rest, file);
    const bad = stumbled(document, rest, file) ?? glued(document, rest, known);
    if (bad === null) return { leaves: leavesOf(document, rest, file), mistakes };
    mistakes.push(bad.mistake);
    if (mistakes.length > mostMistakes || mistakes.length * text.length > mostRead)
      throw notYaml('Too many lines of the file are not YAML', file);
    rest = withoutLine(rest, bad.offset);
  }
}

function compose(text: string, file: string | null): Document.Parsed {
  try {
    return parseDocument(text, {
      prettyErrors: false,
      version: '1.2',
      schema: 'core',
      uniqueKeys: true,
      logLevel: 'error',
    });
  } catch (error) {
    if (error instanceof RangeError) throw notYaml(tooDeep, file);
    throw error;
  }
}

interface Bad {
  /** On the line to be passed over. */
  offset: number;
  mistake: Mistake;
}

/** The first error of the parser's, and the line that is to blame for it. */
function stumbled(document: Document.Parsed, text: string, file: string | null): Bad | null {
  const [error] = [...document.errors, ...document.warnings];
  if (error === undefined) return null;
  // The parser's own words where it has run out of stack.
  if (/call stack/i.test(error.message)) throw notYaml(tooDeep, file);
  const offset = notBlank(text, blamed(document, error));
  const fix = separated(lineAt(text, offset));
  if (fix !== null) return { offset, mistake: spaceMissing(text, offset, fix) };
  const hint = error.code === 'DUPLICATE_KEY' ? 'Keep one of the two.' : 'Write it as key: value.';
  return { offset, mistake: mistakeOf(text, offset, sayError(error), hint, null) };
}

/** A quote that is not closed is found at the end of the text, and is to blame where it begins. */
function blamed(document: Document.Parsed, { code, pos }: YAMLError): number {
  let offset = pos[0];
  if (code !== 'MISSING_CHAR') return offset;
  visit(document, {
    Scalar(_, node) {
      const [start, , end] = node.range ?? [];
      if (start === undefined || end === undefined || start > pos[0] || end < pos[0]) return undefined;
      offset = start;
      return visit.BREAK;
    },
  });
  return offset;
}

/** What the parser takes for a text, or for a key without a value, and holds keys. */
function glued(document: Document.Parsed, text: string, known: ReadonlySet<string>): Bad | null {
  let bad: Bad | null = null;
  const look = (node: Scalar, isKey: boolean) => {
    const [start, end] = node.range ?? [];
    if (node.type !== 'PLAIN' || start === undefined || end === undefined) return undefined;
    if (!isKey && !keysIn(text.slice(start, end)).some(({ key }) => known.has(key))) return undefined;
    // A text may go on over several lines: the one with the key is to blame.
    const offset = start + lineWithKey(text.slice(start, end), known);
    const line = lineAt(text, offset);
    bad = { offset, mistake: spaceMissing(text, offset, separated(line)) };
    return visit.BREAK;
  };
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || !isGluedKey(key, value)) return undefined;
      return look(key, true);
    },
    Scalar(key, node) {
      return key === 'key' ? undefined : look(node, false);
    },
  });
  return bad;
}

/** `{ workers:4 }`: a key with its value in it. */
function isGluedKey(key: Scalar, value: Pair['value']): boolean {
  return (
    typeof key.value === 'string' &&
    /^[A-Za-z][\w.-]*:\S/.test(key.value) &&
    (value === null || (isScalar(value) && value.value === null))
  );
}

function lineWithKey(text: string, known: ReadonlySet<string>): number {
  let offset = 0;
  for (const line of text.split('\n')) {
    const found = keysIn(line).find(({ key }) => known.has(key));
    if (found) return offset + found.at;
    offset += line.length + 1;
  }
  return 0;
}

/** Where keys stand in a line: `key:` at its begin or behind a blank or comma. */
function keysIn(line: string): { key: string; at: number; end: number }[] {
  return [...line.matchAll(/(?<![^\s,{[])([A-Za-z][\w.-]*)[ \t]*:(?!\/\/)/g)].map((found) => ({
    key: found[1] ?? '',
    at: found.index,
    end: found.index + found[0].length,
  }));
}

/** The keys of a line each on a line of its own, with a space after the colon; null where the line has none, or is right. */
function separated(line: string): string | null {
  const [body = ''] = line.split(/\s#/);
  const keys = keysIn(body);
  const indent = /^\s*/.exec(body)?.[0] ?? '';
  const [first] = keys;
  if (first === undefined || first.at !== indent.length) return null;
  const fixed = keys.map(({ key, end }, at) => {
    const value = withoutCommas(body.slice(end, keys[at + 1]?.at)).trim();
    return `${indent}${key}:${value === '' ? '' : ` ${value}`}`;
  });
  const text = fixed.join('\n');
  return text === body.trimEnd() ? null : text;
}

/** Without the blanks and commas at its end. */
function withoutCommas(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s,]/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

function spaceMissing(text: string, offset: number, fix: string | null): Mistake {
  const line = lineAt(text, offset);
  const keys = keysIn(line);
  const told = fix?.split('\n').map((each) => withoutSecret(each.trim()));
  const hint = told === undefined ? 'Write it as key: value.' : `Write ${told.join(' ⏎ ')}`;
  const start = offsetOfLine(text, offset) + (keys[0]?.at ?? 0);
  if (keys.length > 1)
    return mistakeOf(
      text,
      start,
      `There are ${keys.length} keys in one line`,
      `${hint}, each on a line of its own.`,
      fix,
    );
  return mistakeOf(
    text,
    start,
    `A space is missing after the colon of ${JSON.stringify(keys[0]?.key ?? line.trim())}`,
    hint,
    fix,
  );
}

/** What is told is printed: the value of a key that holds a secret is not in it. */
function withoutSecret(line: string): string {
  return line.replace(/^([\w.-]*(?:pass|pwd|secret|token)[\w-]*:) .*$/i, '$1 …');
}

function leavesOf(document: Document.Parsed, text: string, file: string | null): Leaf[] {
  const { contents } = document;
  if (!isMap(contents)) throw notYaml('There are no keys in this text', file);
  const leaves: Leaf[] = [];
  const placeAt = placesIn(text);
  const walk = (node: unknown, path: readonly string[]): void => {
    if (!isMap(node)) return;
    for (const item of node.items) {
      if (!isPair(item) || !isScalar(item.key)) continue;
      const own = [...path, String(item.key.value)];
      const value = item.value;
      if (isMap(value)) walk(value, own);
      else leaves.push({ path: own, text: textOf(value), place: placeAt(item.key.range?.[0] ?? 0) });
    }
  };
  walk(contents, []);
  return leaves;
}

/** A scalar as it was written; a list with commas between, as TSBS's own lists are. */
function textOf(node: unknown): string | null {
  if (isScalar(node)) return node.value === null ? null : String(node.source ?? node.value);
  if (isAlias(node)) return `*${node.source}`;
  return isSeq(node) ? node.items.map((item) => textOf(item) ?? '').join(',') : null;
}

function sayError(error: YAMLError): string {
  if (error.code === 'DUPLICATE_KEY') return 'This key is there twice';
  if (error.code === 'MULTIPLE_DOCS') return 'A configuration is one document';
  return error.message.split('\n')[0] ?? error.message;
}

function mistakeOf(text: string, offset: number, message: string, hint: string, fix: string | null): Mistake {
  return { message, hint, ...placeOf(text, offset), fix };
}

function notYaml(message: string, file: string | null): AppError {
  return new AppError({
    code: 'yaml-syntax',
    message,
    ...(file !== null && { place: { file } }),
    hint: 'A configuration of tsbs_load has the keys data-source and loader.',
  });
}
