import { z } from 'zod';

/** A JSON column through its schema. Pipes text → JSON → schema, so that broken JSON is an issue like any other. */
export function jsonColumn<S extends z.ZodType>(schema: S) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: `not JSON: ${String(error)}` });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** The first thing wrong, in a line: `phases.0.rows: expected number`. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'unreadable';
  return issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message;
}

/** Called with a sentence for the user when a stored row cannot be read. The row stays where it is. */
export type Report = (notice: string) => void;

/** Says each thing once: lists are read again and again. */
export function reportOnce(report: Report): Report {
  const said = new Set<string>();
  return (notice) => {
    if (said.has(notice)) return;
    said.add(notice);
    report(notice);
  };
}
