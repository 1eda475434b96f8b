import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeHtml, html } from './markup.ts';

/** What a browser makes of the entities that are written here. */
const read = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

it('escapes whatever is put in, and only once', () => {
  const name = `<b onclick='x'>"&amp;"</b>`;
  const inner = html`<i>${name}</i>`;
  expect(inner.text).toBe('<i>&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;amp;&quot;&lt;/b&gt;</i>');
  expect(html`<p>${[inner, 5, null, '<']}</p>`.text).toBe(`<p>${inner.text}5&lt;</p>`);
});

it('of any text leaves its letters and no way out of an element or an attribute', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
      const escaped = escapeHtml(text);
      expect(escaped).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      const letters = (of: string) => of.replace(/\P{L}/gu, '');
      expect(letters(read(escaped))).toBe(letters(text));
    }),
  );
});

it('shows what turns the direction of writing as a mark', () => {
  expect(escapeHtml('a\u202eb\u0007c\nd')).toBe('a�b�c\nd');
});
