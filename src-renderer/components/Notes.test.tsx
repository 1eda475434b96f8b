import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Notes } from './Notes.tsx';

const html = (text: string) => renderToStaticMarkup(<Notes text={text} />);

test('Markdown is shown as it was meant, headings below those of the page', () => {
  const shown = html(
    '# Cooling\n\nA **fan**, `arm_freq=1800`, [the card](https://example.org/card)\n\n- one\n- two',
  );
  expect(shown).toContain('<h4');
  expect(shown).toContain('<strong>fan</strong>');
  expect(shown).toContain('<code>arm_freq=1800</code>');
  expect(shown).toContain('href="https://example.org/card" target="_blank" rel="noreferrer noopener"');
  expect(shown).toContain('<li>one</li>');
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&colon;alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '<javascript:alert(1)>',
  '![x](https://example.org/track.png)',
  '![x](javascript:alert(1))',
  '<iframe src="https://example.org"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<svg/onload=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<style>body{display:none}</style>',
  '[a]: javascript:alert(1)\n\n[a]',
])('%s runs nothing and fetches nothing', (text) => {
  const shown = html(text);
  expect(shown).not.toMatch(/<(script|iframe|img|svg|style|details|object|embed|form|input)\b/i);
  expect(shown).not.toMatch(/<[^>]*\s(on\w+|src|style)=/i);
  expect(shown).not.toMatch(/href="(?!https?:|mailto:)/i);
});

test('no text brings in an element that is not of Markdown', () => {
  const parts = fc.constantFrom(
    ...['<', '>', '"', "'", '&lt;', '[', ']', '(', ')', '!', '`', '\n', '\n\n', '#', '- ', '|', '|--|', '\\'],
    ...['script', 'img src=x onerror=y', 'a href=', 'javascript:', 'https://e.org', 'style', '</', '/>', ' '],
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 14 }), (pieces) => {
      const shown = html(pieces.join(''));
      expect(shown).not.toMatch(/<(script|iframe|img|svg|style|object|embed|form)\b/i);
      expect(shown).not.toMatch(/<[^>"]*\son\w+=/i);
      expect(shown).not.toMatch(/href="(?!https?:|mailto:)/i);
    }),
  );
});
