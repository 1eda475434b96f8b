import { AppError } from '../../../src-shared/errors.ts';
import { type Setting, unescaped } from './setting.ts';

/** Where the server is and what it loads is decided by the recipe that made it; another value would lose the server. */
const notHere = [
  ...[
    'config_file',
    'data_directory',
    'external_pid_file',
    'hba_file',
    'ident_file',
    'include',
    'include_dir',
  ],
  ...['include_if_exists', 'listen_addresses', 'port', 'unix_socket_directories'],
];

/**
 * `name = value` as in postgresql.conf, one on a line or several with `;` between; `#` begins a comment, quotes as there.
 * @throws AppError `bad-input` with the line
 */
export function parseSettings(text: string): Setting[] {
  const found = new Map<string, Setting>();
  for (const [index, line] of text.split('\n').entries()) {
    for (const part of parts(line)) {
      const setting = parsePart(part, index + 1);
      if (found.has(setting.name)) throw bad(`${setting.name} is there twice`, index + 1);
      found.set(setting.name, setting);
    }
  }
  return [...found.values()];
}

/** Cut at `;` and before `#`, but not within quotes. */
function parts(line: string): string[] {
  const [code = ''] = line.match(/^(?:[^'#]|'(?:[^'\\]|''|\\.)*'|')*/) ?? [];
  const pieces = code.match(/(?:[^';]|'(?:[^'\\]|''|\\.)*'|')+/g) ?? [];
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function parsePart(part: string, line: number): Setting {
  const match =
    /^([A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)?)(?:\s*=\s*|\s+)(?:'((?:[^'\\]|''|\\.)*)'|([^\s']+))$/.exec(part);
  const name = match?.[1]?.toLowerCase();
  const value = (match?.[2] === undefined ? undefined : unescaped(match[2])) ?? match?.[3];
  if (name === undefined || value === undefined) {
    throw bad(`A setting looks like work_mem = 8MB, not like ${JSON.stringify(part)}`, line);
  }
  if (notHere.includes(name)) throw bad(`${name} is not for tuning: it says where the server is`, line);
  return { name, value, reason: 'Your own setting.' };
}

function bad(message: string, line: number): AppError {
  return new AppError({ code: 'bad-input', message, place: { field: 'custom', line } });
}
