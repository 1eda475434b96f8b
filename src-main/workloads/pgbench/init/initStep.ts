import { z } from 'zod';
import { countOf } from '../../words.ts';
import type { InitializePhase, Step } from '../../workload.ts';
import { initOptions, initSchema, stepLetters } from './options.ts';
import { accountsPerScale, tableNames, tellersPerScale } from './tables.ts';

/** `pgbench.init`: pgbench's tables and their rows. */
export const initStep: Step = {
  id: 'pgbench.init',
  label: 'Make pgbench’s tables',
  description: 'Makes the tables that pgbench’s scripts work on, the same as pgbench -i makes them.',
  parameters: z.strictObject(initOptions),
  inherit: (own) => own,
  check(parameters) {
    const own = initSchema.parse(parameters);
    if (stepLetters(own).length > 0) return [];
    return [{ path: 'initSteps', message: 'Without the vacuum there is nothing left to do', hint: null }];
  },
  phase(parameters): InitializePhase {
    const own = initSchema.parse(parameters);
    return {
      kind: 'initialize',
      initialization: { workload: 'pgbench', parameters: own },
      database: own.dbName,
      createDatabase: true,
      tables: [
        ...tableNames,
        ...Array.from({ length: own.partitions }, (_, index) => `pgbench_accounts_${index + 1}`),
      ],
      replaceTables: own.replaceTables,
      connections: 1,
      reportingPeriodSeconds: 0,
      seed: 0,
    };
  },
  rows(parameters) {
    const own = initSchema.parse(parameters);
    const fills = stepLetters(own).some((letter) => letter === 'g' || letter === 'G');
    return fills ? own.scale * (1 + tellersPerScale + accountsPerScale) : 0;
  },
  summary(parameters) {
    const own = initSchema.parse(parameters);
    const letters = stepLetters(own);
    if (letters.every((letter) => letter === 'd')) return `drop pgbench’s tables in ${own.dbName}`;
    const rows = countOf(own.scale * accountsPerScale, 'account');
    return letters.includes('t') || letters.includes('g') || letters.includes('G')
      ? `make pgbench’s tables in ${own.dbName} with ${rows}`
      : `work over pgbench’s tables in ${own.dbName}`;
  },
};
