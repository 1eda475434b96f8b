import { AppError } from '../../../src-shared/errors.ts';
import type { Remote, RemoteOptions, RemoteResult } from '../remote.ts';

/** @throws AppError `no-permission`, `server-error` (a folder, a damaged disk) */
export async function readFile(remote: Remote, path: string, options: RemoteOptions): Promise<string | null> {
  const result = await remote.run(['cat', '--', plain(path)], options);
  if (result.code === 0) return result.stdout;
  if (/: (No such file or directory|Not a directory)\s*$/.test(result.stderr)) return null;
  throw fileError('A file on the host cannot be read', path, result);
}

/**
 * The new file has the mode given, else that of the one it replaces, else 644; owner and group stay. Links are followed.
 * @throws AppError `disk-full`, `no-permission`, `server-error`
 */
export async function writeFile(
  remote: Remote,
  path: string,
  text: string,
  options: RemoteOptions & { mode?: number },
): Promise<void> {
  const mode = options.mode?.toString(8) ?? '';
  const size = String(Buffer.byteLength(text));
  const command: [string, ...string[]] = ['sh', '-c', writer, 'sh', plain(path), mode, size];
  const result = await remote.run(command, { ...options, input: text });
  if (result.code !== 0) throw fileError('A file on the host cannot be written', path, result);
}

// $(…) drops newlines at the end of a name, hence the dot. The size tells whether a broken connection cut the text short.
const writer = `set -eu
path=$1 mode=$2 size=$3
if [ -L "$path" ]; then path=$(readlink -f -- "$path"; echo .); path=\${path%??}; fi
[ ! -d "$path" ] || { echo "$path: Is a directory" >&2; exit 1; }
umask 077
new=$(mktemp -- "\${path%/*}/.benchberry.XXXXXXXX"; echo .); new=\${new%??}
trap 'rm -f -- "$new"' EXIT
trap 'exit 143' HUP INT TERM
cat > "$new"
[ "$(wc -c < "$new")" -eq "$size" ] || { echo "the text arrived cut short" >&2; exit 75; }
if [ -e "$path" ]; then
  chown --reference="$path" -- "$new" 2>/dev/null || [ "$(id -u)" != 0 ]
  chmod --reference="$path" -- "$new"
else chmod 644 -- "$new"
fi
[ -z "$mode" ] || chmod "$mode" -- "$new"
sync -- "$new"
mv -fT -- "$new" "$path"
`;

/** A name that starts with a dash, or is one, is a file all the same. */
function plain(path: string): string {
  return path.startsWith('/') ? path : `./${path}`;
}

function fileError(message: string, path: string, result: RemoteResult): AppError {
  const detail = result.stderr.trim() || `exit code ${result.code}`;
  const code = /Permission denied|Operation not permitted/.test(detail)
    ? 'no-permission'
    : /No space left|Disk quota exceeded/.test(detail)
      ? 'disk-full'
      : 'server-error';
  const hint =
    code === 'disk-full'
      ? 'Make room on that disk of the host, then try again: nothing was changed.'
      : undefined;
  return new AppError({ code, message, place: { file: path }, detail, hint });
}
