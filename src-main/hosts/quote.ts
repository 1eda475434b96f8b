import { AppError } from '../../src-shared/errors.ts';

/**
 * One argument for a POSIX shell: it arrives exactly as given, whatever is in it.
 * @throws AppError `bad-input` for what no argument can hold: a NUL, half of a surrogate pair
 */
export function quote(text: string): string {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new AppError({
      code: 'bad-input',
      message: 'A value holds a character that no command can be given',
      detail: JSON.stringify(text),
    });
  }
  return /^[\w@+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A program and its arguments as one line for a POSIX shell. */
export function commandLine(command: readonly string[]): string {
  return command.map(quote).join(' ');
}

/**
 * A POSIX shell script as one line for whatever login shell the user has: sh and its kin, csh, fish. They agree only on
 * single quotes around plain text, so everything else travels as octal.
 */
export function forLoginShell(script: string): string {
  if (/^[^'\\!\n]*$/.test(script)) return `exec sh -c '${script}'`;
  const octal = script.replace(/['"\\!$`\n\r]/g, (c) => `\\0${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return `exec sh -c 's=$(printf "%b." "${octal}"); eval "\${s%.}"'`;
}
