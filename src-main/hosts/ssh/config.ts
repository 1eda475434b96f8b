/** What ~/.ssh/config says for one name; only what is used here. */
export interface HostOptions {
  hostName: string | null;
  port: number | null;
  user: string | null;
  identityFiles: string[];
  identitiesOnly: boolean;
  hostKeyAlias: string | null;
  /** The alias is reached through another host or a program. */
  proxy: string | null;
}

/** Text of the files an `Include` names; none where there are none. */
export type ReadIncluded = (pattern: string) => readonly string[];

interface Block {
  /** Pattern lists that must all match; `Match` blocks never do, save `Match all`. */
  conditions: readonly (readonly string[])[];
  options: (readonly [keyword: string, values: readonly string[]])[];
}

const never: readonly string[] = [];

/**
 * Looks a name up as ssh_config(5) says: the first value of each keyword counts, `IdentityFile` adds up. `Include` is
 * followed one level deep. Lines that make no sense are passed over, as this file belongs to another program.
 */
export function lookUp(text: string, name: string, readIncluded: ReadIncluded = () => []): HostOptions {
  const first = new Map<string, string>();
  const identityFiles: string[] = [];
  for (const block of parse(text, [], readIncluded)) {
    if (!block.conditions.every((patterns) => matchesList(name, patterns))) continue;
    for (const [keyword, values] of block.options) {
      const value = values[0];
      if (value === undefined) continue;
      if (keyword === 'identityfile') identityFiles.push(value);
      else if (!first.has(keyword)) first.set(keyword, values.join(' '));
    }
  }
  const port = Number(first.get('port'));
  const proxy = ['proxyjump', 'proxycommand'].map((k) => first.get(k)).find((v) => v !== undefined);
  const hostName = first.get('hostname');
  return {
    hostName: hostName?.replace(/%([h%])/g, (_, c) => (c === 'h' ? name : '%')) ?? null,
    port: Number.isInteger(port) && port > 0 && port < 65_536 ? port : null,
    user: first.get('user') ?? null,
    identityFiles: identityFiles.filter((file) => file.toLowerCase() !== 'none'),
    identitiesOnly: first.get('identitiesonly')?.toLowerCase() === 'yes',
    hostKeyAlias: first.get('hostkeyalias') ?? null,
    proxy: proxy === undefined || proxy.toLowerCase() === 'none' ? null : proxy,
  };
}

function parse(text: string, outer: Block['conditions'], readIncluded: ReadIncluded): Block[] {
  let block: Block = { conditions: outer, options: [] };
  const blocks = [block];
  const begin = (conditions: Block['conditions']) => {
    block = { conditions, options: [] };
    blocks.push(block);
  };
  for (const line of text.split('\n')) {
    const words = splitLine(line);
    const keyword = words.shift()?.toLowerCase();
    if (keyword === undefined) continue;
    if (keyword === 'host') begin([...outer, words]);
    else if (keyword === 'match') begin([...outer, words.join(' ').toLowerCase() === 'all' ? ['*'] : never]);
    else if (keyword === 'include') {
      const { conditions } = block;
      for (const included of words.flatMap(readIncluded))
        blocks.push(...parse(included, conditions, () => []));
      begin(conditions);
    } else block.options.push([keyword, words]);
  }
  return blocks;
}

/** `Keyword value "a value"` or `Keyword = value`. */
function splitLine(line: string): string[] {
  const parts = /^\s*([^\s#="]+)\s*=?\s*(.*?)\s*$/.exec(line);
  if (parts === null) return [];
  const values = [...(parts[2] ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2] ?? '');
  return [parts[1] ?? '', ...values];
}

/** A list of patterns as OpenSSH has them: any may match, none with `!` before it may. */
export function matchesList(name: string, patterns: readonly string[]): boolean {
  const hit = (pattern: string) => matches(name.toLowerCase(), pattern.toLowerCase());
  if (patterns.some((p) => p.startsWith('!') && hit(p.slice(1)))) return false;
  return patterns.some((p) => !p.startsWith('!') && hit(p));
}

/** `*` is any text, `?` any one character. Walks once, so that no pattern can take long. */
function matches(text: string, pattern: string): boolean {
  let t = 0;
  let p = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
