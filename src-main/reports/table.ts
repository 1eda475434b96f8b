/**
 * Columns of plain text, two spaces apart, no trailing blanks.
 * @param rows cells as printed; all rows have as many cells as `align` has letters
 * @param align one letter a column: `l` left, `r` right
 */
export function textTable(rows: readonly (readonly string[])[], align: string): string[] {
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

/** Code points; the texts printed here have no wide or combining characters. */
function width(text: string): number {
  return [...text].length;
}
