import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** lightdm names a terminal and a seat that are not there; the rest is for a server that draws into memory. */
const server = `#!/bin/sh
display=:0 auth=
while [ $# -gt 0 ]; do
  case $1 in :*) display=$1 ;; -auth) shift; auth=$1 ;; esac
  shift
done
exec /usr/bin/Xvfb "$display" -auth "$auth" -screen 0 1024x768x24 -nolisten tcp
`;

const settings = `[LightDM]
logind-check-graphical=false
[Seat:*]
xserver-command=/usr/local/bin/x-in-memory
`;

/** Makes lightdm show its greeter on a machine without a screen: X server and greeter run and take memory. */
export async function configureDesktop(root: string): Promise<void> {
  const file = join(root, 'usr/local/bin/x-in-memory');
  await writeFile(file, server);
  await chmod(file, 0o755);
  await mkdir(join(root, 'etc/lightdm/lightdm.conf.d'), { recursive: true });
  await writeFile(join(root, 'etc/lightdm/lightdm.conf.d/50-in-memory.conf'), settings);
}
