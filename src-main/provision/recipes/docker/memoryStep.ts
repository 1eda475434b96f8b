import { z } from 'zod';
import { readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';

const token = 'cgroup_enable=memory';

/** Where the firmware reads the kernel's command line from: as raspi-config finds it. */
const commandLine = `boot=/boot
[ ! -e /boot/firmware/config.txt ] || boot=/boot/firmware
prefix=$(tr -d '\\0' 2>/dev/null < /proc/device-tree/chosen/os_prefix || true)
file="$boot/\${prefix}cmdline.txt"
`;

/** Shell text. */
const limits = 'grep -qsw memory /sys/fs/cgroup/cgroup.controllers';

const savedSchema = z.object({ hadToken: z.boolean() });

/** Memory limits of containers: off on Raspberry Pi OS until the kernel is told at its start. */
export const memoryStep: Step = {
  id: 'memory',
  title: 'Let containers have memory limits',
  changes: [
    `Adds ${token} to the kernel’s command line (cmdline.txt of the boot partition), with a copy of the file beside it.`,
    'Holds after a restart of the host. Where the kernel knows no such switch, nothing is changed.',
  ],
  needsRoot: true,
  needsReboot: true,
  reversible: true,
  async check(remote, signal) {
    const facts = await readFacts(
      remote,
      `${commandLine}
if ${limits}; then echo limits=yes; fi
if [ -e "$file" ]; then echo "file=$file"; fi
if grep -qsw ${token} "$file"; then echo token=yes; fi
if grep -qw ${token} /proc/cmdline; then echo started=yes; fi
true`,
      signal,
    );
    const file = facts.get('file');
    const saved = { hadToken: facts.has('token') };
    if (facts.has('limits')) return { done: true, evidence: 'The kernel keeps account of memory.', saved };
    if (file === undefined) {
      const evidence =
        'Memory limits are unavailable: no cmdline.txt of the Raspberry Pi’s firmware is here.';
      return { done: true, evidence, saved };
    }
    if (!saved.hadToken) return { done: false, evidence: `${file} has no ${token}.`, saved };
    if (facts.has('started')) {
      const evidence = `Memory limits are unavailable: the kernel was started with ${token} and keeps no account of memory all the same. Containers run without limits.`;
      return { done: true, evidence, saved };
    }
    const evidence = `${file} has ${token}, the kernel was started without it.`;
    return { done: false, evidence, saved };
  },
  test: `${commandLine}${limits} || [ ! -e "$file" ] || grep -qw ${token} /proc/cmdline`,
  apply: () => `${commandLine}
if ! grep -qw ${token} "$file"; then
  line=$(head -n 1 "$file")
  case " $line " in *' root='*) ;; *) echo "$file has no root=: it is left as it is." >&2; exit 1 ;; esac
  cp -p "$file" "$file.benchberry"
  printf '%s\\n' "$line ${token}" > "$file.new"
  mv "$file.new" "$file"
  sync
  echo "$file: $line ${token}"
fi
`,
  undo(saved) {
    if (savedSchema.parse(saved).hadToken) return ':\n';
    return `${commandLine}
if [ -e "$file.benchberry" ]; then
  if [ "$(cat "$file")" = "$(head -n 1 "$file.benchberry") ${token}" ]; then mv "$file.benchberry" "$file"
  else
    # Changed by somebody else since: only the own word goes.
    sed -i '1s/ ${token}\\b//' "$file"
    rm -f "$file.benchberry"
  fi
  sync
fi
`;
  },
};
