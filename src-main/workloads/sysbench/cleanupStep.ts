import { z } from 'zod';
import { countOf } from '../words.ts';
import type { InitializePhase, Step } from '../workload.ts';
import { tableOptionsOfRun } from './dataOptions.ts';
import { replaceTablesField } from './prepareOptions.ts';
import { preparedTables, tableNames, tableProblems } from './tables.ts';

const { dbName, tables, sysbenchVersion } = tableOptionsOfRun;
const schema = z.strictObject({ dbName, tables, sysbenchVersion, replaceTables: replaceTablesField });
/** As it is once `inherit` has filled the gaps. */
const filledSchema = schema.required();

/** `sysbench.cleanup`: drops the tables again. */
export const cleanupStep: Step = {
  id: 'sysbench.cleanup',
  label: 'Drop sysbench’s tables',
  description: 'Drops the tables that a prepare step has made.',
  parameters: schema,
  inherit(own, before) {
    const { dbName = 'sbtest', tables = 1, sysbenchVersion = '1.0' } = preparedTables(before);
    return { dbName, tables, sysbenchVersion, ...own };
  },
  check: (parameters) => tableProblems(filledSchema.parse(parameters)),
  phase(parameters): InitializePhase {
    const own = filledSchema.parse(parameters);
    return {
      kind: 'initialize',
      initialization: { workload: 'sysbench', parameters: { ...own, cleanup: true } },
      database: own.dbName,
      createDatabase: false,
      tables: tableNames(own),
      replaceTables: own.replaceTables,
      connections: 1,
      reportingPeriodSeconds: 0,
      seed: 0,
    };
  },
  rows: () => 0,
  summary(parameters, before) {
    const own = filledSchema.parse(parameters);
    const where = before.at(-1)?.parameters.dbName === own.dbName ? '' : ` in ${own.dbName}`;
    return `drop ${countOf(own.tables, 'table')}${where}`;
  },
};
