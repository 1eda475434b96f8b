import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The mirror this machine's own apt uses for Debian, so that the lab works wherever apt does. */
export async function debianMirror(): Promise<string> {
  const folder = '/etc/apt/sources.list.d';
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names.filter((n) => n.endsWith('.sources')).sort()) {
    for (const stanza of (await readFile(join(folder, name), 'utf8')).split(/\n\s*\n/)) {
      if (!/^Components:.*\bmain\b/m.test(stanza)) continue;
      const uri = /^URIs:\s*(\S*\/debian\/?)(\s|$)/m.exec(stanza)?.[1];
      if (uri !== undefined) return uri;
    }
  }
  const lists = [
    '/etc/apt/sources.list',
    ...names.filter((n) => n.endsWith('.list')).map((n) => join(folder, n)),
  ];
  for (const file of lists.filter((f) => existsSync(f))) {
    const uri = /^deb\s+(?:\[[^\]]*\]\s+)?(\S*\/debian\/?)\s+\S+\s.*\bmain\b/m.exec(
      await readFile(file, 'utf8'),
    )?.[1];
    if (uri !== undefined) return uri;
  }
  throw new Error('no Debian mirror found in the apt sources of this machine');
}
