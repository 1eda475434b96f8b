import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Api } from '../src-shared/contract/api.ts';
import type { CommandInput, CommandName, EventData } from '../src-shared/contract/commands.ts';
import type { Progress } from '../src-shared/model/run.ts';

/** The key under which the answer of a command is kept. */
export function commandKey<N extends CommandName>(name: N, input: CommandInput<N>): QueryKey {
  return [name, input];
}

const listCommands: Record<EventData<'lists.changed'>['what'], readonly CommandName[]> = {
  runs: [
    'runs.list',
    'runs.facets',
    'runs.get',
    'comparisons.make',
    'storage.get',
    'baselines.ofRun',
    'baselines.compare',
    'series.list',
    'series.get',
  ],
  targets: ['targets.list'],
  plans: ['plans.list', 'plans.get'],
  racks: ['racks.list', 'racks.get', 'racks.result'],
  series: ['series.list', 'series.get', 'series.progress'],
  hosts: ['hosts.list', 'provision.list', 'provision.get'],
  settings: ['app.info'],
};

/** Marks answers stale as the core's events say. Returns its own un-subscribe. */
export function keepFresh(api: Api, client: QueryClient): () => void {
  const invalidate = (queryKey: QueryKey) => void client.invalidateQueries({ queryKey });
  const unsubscribe = [
    api.on('lists.changed', ({ what }) => {
      for (const name of listCommands[what]) invalidate([name]);
    }),
    api.on('run.changed', ({ head, final }) => {
      invalidate(['runs.list']);
      invalidate(['runs.facets']);
      invalidate(commandKey('runs.get', { id: head.id }));
      invalidate(['runs.progress']);
      if (!final) return;
      invalidate(['baselines.compare']);
      invalidate(commandKey('runs.text', { id: head.id }));
      invalidate(commandKey('runs.series', { id: head.id }));
      invalidate(['runs.latencies']);
      if (head.group !== null) invalidate(commandKey('racks.result', { id: head.group }));
    }),
    api.on('provision.changed', (provisioning) => {
      client.setQueryData(commandKey('provision.get', { id: provisioning.id }), provisioning);
      invalidate(commandKey('provision.list', { hostId: provisioning.hostId }));
    }),
    api.on('rack.changed', (rack) => {
      client.setQueryData(commandKey('racks.get', { id: rack.id }), rack);
      invalidate(commandKey('racks.result', { id: rack.id }));
      invalidate(['racks.list']);
    }),
    api.on('series.changed', (series) => {
      client.setQueryData(commandKey('series.get', { id: series.id }), series);
      invalidate(['series.list']);
      invalidate(['series.progress']);
    }),
    api.on('series.progress', (progress) =>
      client.setQueryData(commandKey('series.progress', null), progress),
    ),
    api.on('run.progress', (progress) =>
      client.setQueryData<Progress[]>(commandKey('runs.progress', null), (known = []) =>
        known.some(({ runId }) => runId === progress.runId)
          ? known.map((each) => (each.runId === progress.runId ? progress : each))
          : [...known, progress],
      ),
    ),
  ];
  return () => {
    for (const off of unsubscribe) off();
  };
}
