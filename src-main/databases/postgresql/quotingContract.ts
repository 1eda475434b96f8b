import fc from 'fast-check';
import { expect, it } from 'vitest';

/** Any text as a name and as a value, through the server and back. */
export function quotingContract(
  name: string,
  run: (sql: string) => Promise<(string | null)[][]>,
  quote: {
    name: (text: string) => string;
    text: (text: string) => string;
  },
): void {
  it(`${name}: quotes any text`, async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((s) => !s.includes('\0'));
    const hostile = fc.string({
      unit: fc.constantFrom("'", '"', '\\', ';', '--', '$$', 'é', ' ', '\n', 'E'),
      minLength: 1,
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, hostile), async (value) => {
        fc.pre(Buffer.byteLength(value) <= 63 && value.isWellFormed());
        const rows = await run(
          `SELECT ${quote.text(value)}, json_object_keys(row_to_json(x)) FROM (SELECT 1 AS ${quote.name(value)}) x`,
        );
        expect(rows).toEqual([[value, value]]);
      }),
      { numRuns: 300 },
    );
  });
}
