import { z } from 'zod';
import { newSeed } from '../seed.ts';
import { countOf } from '../words.ts';
import type { InitializePhase, Step } from '../workload.ts';
import { prepareOptions, prepareSchema } from './prepareOptions.ts';
import { tableNames, tableProblems } from './tables.ts';

/** The way that rows are sent, where it is not sysbench's own. */
const ways = { insert: '', 'insert-single': ' row by row', copy: ' by COPY' };

/** `sysbench.prepare`: tables, rows and indexes as sysbench makes them. */
export const prepareStep: Step = {
  id: 'sysbench.prepare',
  label: 'Prepare sysbench’s tables',
  description: 'Makes the tables that sysbench’s OLTP scripts work on, the same as sysbench makes them.',
  parameters: z.strictObject(prepareOptions),
  inherit: (own) => ({ ...own, ...((own.randSeed ?? 0) === 0 && { randSeed: newSeed() }) }),
  check: (parameters) => tableProblems(prepareSchema.parse(parameters)),
  phase(parameters): InitializePhase {
    const own = prepareSchema.parse(parameters);
    return {
      kind: 'initialize',
      initialization: { workload: 'sysbench', parameters: own },
      database: own.dbName,
      createDatabase: true,
      tables: tableNames(own),
      replaceTables: own.replaceTables,
      connections: own.threads,
      reportingPeriodSeconds: 0,
      seed: own.randSeed,
    };
  },
  rows(parameters) {
    const { tables, tableSize } = prepareSchema.parse(parameters);
    return tables * tableSize;
  },
  summary(parameters) {
    const own = prepareSchema.parse(parameters);
    const tables = `${countOf(own.tables, 'table')} of ${countOf(own.tableSize, 'row')}`;
    return `prepare ${tables} in ${own.dbName}${ways[own.writeMode]}`;
  },
};
