import type { TransactionSource, TransactionSourceSpec } from '../../transactions.ts';
import { seedsOf } from '../random/seeds.ts';
import { Names, Variables } from '../script/variables.ts';
import { PgbenchClient, type Scripts } from './client.ts';
import { parseDefinitions } from './definitions.ts';
import { runSchema } from './options.ts';
import { compileScript, type Program } from './program.ts';
import { scriptText } from './scripts.ts';
import { openPgbenchLog } from './transactionLog.ts';

/** In a worker: pgbench's clients. */
export function openPgbenchTransactions(source: TransactionSourceSpec): TransactionSource {
  const options = runSchema.parse(source.parameters);
  const names = new Names();
  const programs: Program[] = [];
  let statement = 0;
  for (const script of options.scripts) {
    const program = compileScript(scriptText(script), options.protocol, statement, names);
    programs.push(program);
    statement += program.operations.length;
  }
  const scripts: Scripts = {
    programs,
    weights: options.scripts.map(({ weight }) => weight),
    protocol: options.protocol,
    maxTries: options.maxTries,
    continueOnError: options.continueOnError,
    names,
  };
  const definitions = parseDefinitions(options.define);
  // One thread's generators for each client: so its scripts are the same whatever thread it is dealt to.
  const seeds = seedsOf(
    BigInt(options.randomSeed),
    options.clients,
    options.clients,
    definitions.has('default_seed'),
  );
  return {
    scripts: programs.map(({ name }) => name),
    statements: programs.flatMap(({ operations }, script) =>
      operations.map(({ firstLine }) => ({ script, text: firstLine })),
    ),
    openClient(number) {
      const variables = new Variables(names);
      variables.set(names.slot('scale'), options.scale ?? 1);
      variables.set(names.slot('client_id'), number);
      variables.set(names.slot('default_seed'), seeds.defaultSeed);
      variables.set(names.slot('random_seed'), options.randomSeed);
      for (const [name, value] of definitions) variables.setText(names.slot(name), value);
      const script = seeds.clients[number];
      const choose = seeds.threads[number]?.choose;
      if (script === undefined || choose === undefined) throw new Error(`there is no client ${number}`);
      return new PgbenchClient(scripts, variables, script, choose);
    },
    openLog(thread, startUs) {
      const sample = seeds.threads[thread]?.sample;
      if (sample === undefined) throw new Error(`there is no thread ${thread}`);
      return openPgbenchLog(options, sample, startUs);
    },
  };
}
