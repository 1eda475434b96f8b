import fc from 'fast-check';

const nasty = fc.constantFrom(
  ...[
    "'",
    '"',
    '`',
    '$(touch /tmp/owned)',
    '$HOME',
    '\\',
    '\\047',
    '\n',
    '\r',
    '!',
    '!!',
    '*',
    '~',
    '#',
    ';',
  ],
  ...['&&', ' ', '\t', '-rf', '--', '%s', '{a,b}', '=ls', 'é', 'ā', '漢', '😀', '\u0081', '../'],
);
const text = fc.array(fc.oneof({ weight: 3, arbitrary: nasty }, fc.string({ unit: 'binary' })), {
  maxLength: 8,
});
/** Text that an argument or a file name may be, without NUL: pieces that shells take for something else come up often. */
export const argument = text.map((parts) => parts.join('').replaceAll('\0', ''));
