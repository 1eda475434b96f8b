/** Text that is HTML already: nothing else goes into a page without being escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Markup | string | number | null | readonly Piece[];

/** HTML by a template: what is put in is escaped, but for what is markup already; lists are joined, null is nothing. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(parts.map((part, i) => part + textOf(pieces[i] ?? null)).join(''));
}

function textOf(piece: Piece): string {
  if (piece === null) return '';
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'string' || typeof piece === 'number') return escapeHtml(String(piece));
  return piece.map(textOf).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * A text for the inside of an element or of an attribute in quotes. What HTML does not allow at all, and what turns the
 * direction of writing, is shown as a mark: it could hide what a page says.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
    .replace(/(?![\n\t])[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu, '�');
}
