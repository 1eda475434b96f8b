// Lines of a text, by an offset in it.

/** Places of offsets that come in their order: lines are counted once. */
export function placesIn(text: string): (offset: number) => { line: number; column: number } {
  let line = 1;
  let start = 0;
  return (offset) => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    return { line, column: offset - start + 1 };
  };
}

export function placeOf(text: string, offset: number): { line: number; column: number } {
  const start = offsetOfLine(text, offset);
  return { line: text.slice(0, start).split('\n').length, column: offset - start + 1 };
}

export function offsetOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

export function lineAt(text: string, offset: number): string {
  const start = offsetOfLine(text, offset);
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? undefined : end);
}

/** The line of the offset, or the nearest one before it, or else after it, that is not blank: each is passed over once. */
export function notBlank(text: string, offset: number): number {
  let at = Math.min(offset, text.length);
  if (lineAt(text, at).trim() !== '') return at;
  const before = text.slice(0, offsetOfLine(text, at)).trimEnd();
  at = before === '' ? text.search(/\S/) : before.length - 1;
  return Math.max(at, 0);
}

/** Blanks in the line's place, so that all others keep theirs. */
export function withoutLine(text: string, offset: number): string {
  const start = offsetOfLine(text, offset);
  const line = lineAt(text, offset);
  return text.slice(0, start) + line.replace(/[^\r]/g, ' ') + text.slice(start + line.length);
}
