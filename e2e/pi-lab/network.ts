import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './shell.ts';

/** The network of virtual Pi `n`: a namespace with `eth0` in it, its other end on this machine, and a way out through it. */
export interface PiNetwork {
  /** Network namespace. */
  readonly name: string;
  /** The end of the cable on this machine. */
  readonly outside: string;
  /** This machine as the Pi sees it. */
  readonly workbench: string;
  readonly address: string;
}

export function networkOf(n: number): PiNetwork {
  return {
    name: `benchberry-pi${n}`,
    outside: `bbpi${n}`,
    workbench: `10.77.${n}.1`,
    address: `10.77.${n}.2`,
  };
}

/** Made outside the container's mount namespace, or it would vanish with it. */
export async function connectNetwork(net: PiNetwork): Promise<void> {
  const ip = (...args: string[]) => run('ip', args);
  const inside = (...args: string[]) => run('ip', ['-n', net.name, ...args]);
  const mtu = await uplinkMtu();
  await ip('netns', 'add', net.name);
  await ip('link', 'add', net.outside, 'mtu', mtu, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', net.name);
  await ip('addr', 'add', `${net.workbench}/24`, 'dev', net.outside);
  await ip('link', 'set', net.outside, 'up');
  await inside('link', 'set', 'eth0', 'mtu', mtu);
  await inside('addr', 'add', `${net.address}/24`, 'dev', 'eth0');
  await inside('link', 'set', 'eth0', 'up');
  await inside('link', 'set', 'lo', 'up');
  await inside('route', 'add', 'default', 'via', net.workbench);
  // dockerd turns this on by itself on a real host; a container's /proc/sys is read-only.
  await ip('netns', 'exec', net.name, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
  await nat('add', net);
}

export async function removeNetwork(net: PiNetwork): Promise<void> {
  await lose(net, null);
  await nat('remove', net);
  await run('ip', ['netns', 'del', net.name]);
}

/** Larger packets than the way out takes would be lost where path MTU discovery is filtered. */
async function uplinkMtu(): Promise<string> {
  const device = /\bdev (\S+)/.exec(await run('ip', ['-4', 'route', 'show', 'default']))?.[1];
  return device === undefined ? '1500' : (await readFile(`/sys/class/net/${device}/mtu`, 'utf8')).trim();
}

// Forwarding is one switch for all virtual Pis: the first turns it on and remembers what it was, the last puts it back.
const natScript = `
set -eu
action=$1 outside=$2 net=$3 before=$4
rule() { iptables -w -t nat "$1" POSTROUTING -s "$net" ! -d 10.77.0.0/16 -m comment --comment benchberry-lab -j MASQUERADE; }
pass() { iptables -w "$1" FORWARD "$2" "$outside" -m comment --comment benchberry-lab -j ACCEPT; }
while rule -C 2>/dev/null; do rule -D; done
while pass -C -i 2>/dev/null; do pass -D -i; done
while pass -C -o 2>/dev/null; do pass -D -o; done
if [ "$action" = add ]; then
  [ -e "$before" ] || cat /proc/sys/net/ipv4/ip_forward > "$before"
  echo 1 > /proc/sys/net/ipv4/ip_forward
  rule -A; pass -I -i; pass -I -o
elif [ -e "$before" ] && ! iptables -w -t nat -S POSTROUTING | grep -q benchberry-lab; then
  cat "$before" > /proc/sys/net/ipv4/ip_forward
  rm "$before"
fi
`;

async function nat(action: 'add' | 'remove', net: PiNetwork): Promise<void> {
  const file = (name: string) => join(tmpdir(), `benchberry-lab-${name}`);
  const range = net.workbench.replace(/1$/, '0/24');
  const args = ['sh', '-c', natScript, 'nat', action, net.outside, range, file('ip-forward')];
  await run('flock', [file('nat.lock'), ...args]);
}

export interface BadNetwork {
  mbit: number;
  lossPercent: number;
}

/** Rate by tbf, loss by iptables: netem, which could delay too, is missing from many kernels. */
export async function disturb(net: PiNetwork, fault: BadNetwork | null): Promise<void> {
  const qdisc = ['dev', net.outside, 'root'];
  if (fault === null) await run('tc', ['qdisc', 'del', ...qdisc]);
  else {
    const rate = ['tbf', 'rate', `${fault.mbit}mbit`, 'burst', '16kb', 'latency', '200ms'];
    await run('tc', ['qdisc', 'replace', ...qdisc, ...rate]);
  }
  await lose(net, fault?.lossPercent ?? null);
}

async function lose(net: PiNetwork, percent: number | null): Promise<void> {
  const chains = [
    ['INPUT', '-i'],
    ['OUTPUT', '-o'],
  ] as const;
  for (const [chain, direction] of chains) {
    const mark = `benchberry-lab-${net.outside}`;
    const old = (await run('iptables', ['-w', '-S', chain]))
      .split('\n')
      .filter((line) => line.split(' ').includes(mark));
    for (const line of old) await run('iptables', ['-w', '-D', ...line.split(' ').slice(1)]);
    if (percent === null) continue;
    const odds = ['-m', 'statistic', '--mode', 'random', '--probability', String(percent / 100)];
    const comment = ['-m', 'comment', '--comment', mark];
    await run('iptables', ['-w', '-I', chain, direction, net.outside, ...comment, ...odds, '-j', 'DROP']);
  }
}
