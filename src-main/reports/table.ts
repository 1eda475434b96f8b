/**
 * Columns of plain text, two spaces apart, no trailing blanks.
 * @param texts cells as printed, but for line ends, which become blanks; all rows have as many cells as `align` has letters
 * @param align one letter a column: `l` left, `r` right
 */
export function textTable(texts: readonly (readonly string[])[], align: string): string[] {
  const rows = texts.map((row) => row.map(oneLine));
  const widths = [...align].map((_, column) => Math.max(0, ...rows.map((row) => width(row[column] ?? ''))));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const blanks = ' '.repeat((widths[column] ?? 0) - width(cell));
        return align[column] === 'r' ? blanks + cell : cell + blanks;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** A name with a line end in it must not look like a line of the table, or like one below it. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ');
}

/** Code points; the texts printed here have no wide or combining characters. */
function width(text: string): number {
  return [...text].length;
}
