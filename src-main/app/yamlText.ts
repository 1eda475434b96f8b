import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import { AppError, type ErrorPlace } from '../../src-shared/errors.ts';

export type Path = readonly (string | number)[];

/** A YAML text as plain values, with the place of each of them. */
export interface YamlText {
  value: unknown;
  /** Where the value at a path begins, or its nearest parent that exists. */
  placeOf(path: Path): ErrorPlace;
  /** Where a key of the map at a path begins. */
  placeOfKey(path: Path, key: string): ErrorPlace;
}

/** The parser's time for the keys of a map grows with the square of their number. */
const largestText = 128 * 1024;
const tooDeep = 'The file is nested too deeply: that is no plan';
/** More than a plan can use; fewer than makes a small text a huge value. */
const mostAliases = 100;

/** @throws AppError `yaml-syntax` with file, line and column */
export function parseYaml(text: string, file: string | null): YamlText {
  const lines = new LineCounter();
  const place = (offset: number): ErrorPlace => {
    const { line, col } = lines.linePos(offset);
    return { file: file ?? undefined, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const fail = (offset: number, message: string, hint?: string): AppError =>
    new AppError({ code: 'yaml-syntax', message, place: place(offset), hint });

  if (text.length > largestText) throw fail(0, 'The file is larger than 128 KiB: that is no plan');
  const document = compose(text, lines, fail);
  const [error] = [...document.errors, ...document.warnings];
  if (error) {
    const colon = missingSpace(text, error.pos[0]);
    if (colon) throw fail(colon.offset, colon.message, colon.hint);
    throw fail(error.pos[0], sayError(error), hintFor(error));
  }
  const node = (path: Path) => {
    for (let length = path.length; length >= 0; length -= 1) {
      const found = document.getIn(path.slice(0, length), true);
      if (isNode(found) && found.range) return found;
    }
    return null;
  };
  return {
    value: toValue(document, fail),
    placeOf: (path) => place(node(path)?.range?.[0] ?? 0),
    placeOfKey(path, key) {
      const map = document.getIn(path, true) ?? document.contents;
      const pair = isMap(map)
        ? map.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
        : undefined;
      return place(isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : (node(path)?.range?.[0] ?? 0));
    },
  };
}

type Fail = (offset: number, message: string, hint?: string) => AppError;

function compose(text: string, lineCounter: LineCounter, fail: Fail): Document.Parsed {
  try {
    return parseDocument(text, {
      lineCounter,
      prettyErrors: false,
      version: '1.2',
      schema: 'core',
      uniqueKeys: true,
      logLevel: 'error',
    });
  } catch (error) {
    if (error instanceof RangeError) throw fail(0, tooDeep);
    throw error;
  }
}

/** Aliases are only followed here: one without its anchor, or too many of them, ends here. */
function toValue(document: Document.Parsed, fail: Fail): unknown {
  try {
    return document.toJS({ maxAliasCount: mostAliases });
  } catch (error) {
    if (error instanceof RangeError) throw fail(0, tooDeep);
    if (!(error instanceof ReferenceError)) throw error;
    let first = 0;
    visit(document, {
      Alias(_, alias) {
        if (alias.resolve(document) !== undefined && !error.message.startsWith('Excessive')) return undefined;
        first = alias.range?.[0] ?? 0;
        return visit.BREAK;
      },
    });
    throw fail(first, error.message, 'Write the values out instead of using an alias (*name).');
  }
}

/**
 * `key:value` without the space is text to YAML, not a key. Looked for where the parser stumbled: on that line, or as the
 * text itself.
 */
function missingSpace(
  text: string,
  offset: number,
): { offset: number; message: string; hint: string } | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end < 0 ? undefined : end);
  const found = /^(\s*(?:-\s+)*)([A-Za-z][\w.-]*):([^\s/:][^#]*)/.exec(line);
  if (!found) return null;
  const [, indent = '', key = '', value = ''] = found;
  return { offset: start + indent.length, ...spaceWords(key, value.trim()) };
}

export function spaceWords(key: string, value: string): { message: string; hint: string } {
  return {
    message: `A space is missing after the colon of ${JSON.stringify(key)}`,
    hint: `Write ${key}: ${value}`.trim(),
  };
}

function sayError(error: YAMLError): string {
  // The parser's own words where it has caught a RangeError itself.
  if (/call stack/i.test(error.message)) return tooDeep;
  if (error.code === 'DUPLICATE_KEY') return 'This key is there twice';
  if (error.code === 'TAB_AS_INDENT') return 'A tab is used for indenting';
  return `The file is not YAML: ${error.message}`;
}

function hintFor(error: YAMLError): string | undefined {
  if (error.code === 'DUPLICATE_KEY') return 'Keep one of the two.';
  if (error.code === 'TAB_AS_INDENT') return 'Indent with spaces.';
  if (error.code === 'MULTIPLE_DOCS') return 'A file holds one plan: remove what follows the line ---.';
  return undefined;
}
