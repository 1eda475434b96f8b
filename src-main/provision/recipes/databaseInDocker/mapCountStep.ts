import { z } from 'zod';
import { readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';

const wanted = 1_048_576;
const current = '/proc/sys/vm/max_map_count';
const file = '/etc/sysctl.d/90-benchberry-questdb.conf';
const savedSchema = z.object({ value: z.string() });

/** QuestDB maps every column of every partition: with Debian 12's 65,530 it ends in the middle of a load. */
export const mapCountStep: Step = {
  id: 'map-count',
  title: 'Let QuestDB map its files',
  changes: [
    `vm.max_map_count becomes ${wanted}, now and at each start: new file ${file}. Where it is as much already, nothing is changed.`,
  ],
  needsRoot: true,
  needsReboot: false,
  reversible: true,
  async check(remote, signal) {
    const facts = await readFacts(remote, `echo "value=$(cat ${current})"`, signal);
    const value = facts.get('value') ?? '';
    return { done: Number(value) >= wanted, evidence: `vm.max_map_count is ${value}.`, saved: { value } };
  },
  test: `[ "$(cat ${current})" -ge ${wanted} ]`,
  apply: () => `mkdir -p /etc/sysctl.d
printf '# Written by Benchberry, for QuestDB.\\nvm.max_map_count = ${wanted}\\n' > ${file}
chmod 644 ${file}
echo ${wanted} > ${current}
`,
  undo(saved) {
    const { value } = savedSchema.parse(saved);
    return /^\d+$/.test(value) ? `rm -f ${file}\necho ${value} > ${current}\n` : `rm -f ${file}\n`;
  },
};
