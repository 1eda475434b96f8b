/** A name as an identifier. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** A text as a literal; backslashes are escapes in the sessions of `Link`. */
export function quoteText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0').replaceAll('\n', '\\n')}'`;
}
