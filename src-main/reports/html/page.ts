import { createHash } from 'node:crypto';
import { html, Markup } from './markup.ts';
import { style } from './style.ts';

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * A page in one file. Its policy lets nothing in but its own style: no script runs and nothing is fetched, whatever got
 * into a name or a note.
 */
export function page(title: string, body: Markup): string {
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text;
}
