import { AppError } from '../../src-shared/errors.ts';
import { type FilterTerm, parseRunFilter } from '../../src-shared/filter/runFilter.ts';
import { isActive, type Run, runHeadSchema } from '../../src-shared/model/run.ts';
import { runText } from '../reports/runText.ts';
import { runLatencies } from '../runs/latencies.ts';
import type { AppContext, HandlersOf } from './context.ts';
import type { HostDirectory } from './hostDirectory.ts';
import { shippedReference } from './references.ts';
import { runRequests } from './runRequests.ts';
import { tagRuns } from './tagRuns.ts';
import type { TargetDirectory } from './targetDirectory.ts';

export function runHandlers(
  context: AppContext,
  directory: TargetDirectory,
  hosts: HostDirectory,
): HandlersOf<'runs'> {
  const { store, runner, now } = context;
  function get(id: string): Run {
    const run = shippedReference(id) ?? store.runs.get(id);
    if (run) return run;
    throw new AppError({
      code: 'not-found',
      message: `There is no run with the id ${JSON.stringify(id)}`,
      hint: 'It may have been deleted.',
    });
  }

  const requests = runRequests(context, directory, hosts);

  return {
    async 'runs.start'({ plan, targetId, overrideGate }, signal) {
      if (plan.repeat > 1) {
        throw new AppError({
          code: 'bad-input',
          message: `This plan is run ${plan.repeat} times: that is a series, and no single run`,
          place: { field: 'repeat' },
          hint: 'Start it as a series.',
        });
      }
      const request = await requests.make(plan, targetId, overrideGate);
      const head = runner.start(await requests.admit(request, signal));
      requests.follow(head, targetId);
      return head;
    },
    async 'runs.stop'({ id }) {
      await runner.stop(id);
      if (isActive(get(id).status)) {
        throw new AppError({
          code: 'run-active',
          message: 'This run is executed by another Benchberry process, and only that one can stop it',
          hint: 'Stop it where it was started, or end that process: the run is then listed as interrupted.',
        });
      }
      return null;
    },
    'runs.list': async ({ filter, limit }) => store.runs.list({ terms: termsOf(filter, now()), limit }),
    async 'runs.facets'({ filter }) {
      const { runs } = store;
      const terms = termsOf(filter, now());
      const all = runs.count([]);
      return {
        found: terms.length === 0 ? all : runs.count(terms),
        all,
        archived: runs.count([{ kind: 'is', value: 'archived', not: false }]),
        facets: runs.facets(),
      };
    },
    'runs.tag': async ({ ids, add, remove }) => tagRuns(store.runs, ids, add, remove),
    'runs.archive': async ({ ids, archived }) => store.runs.archive(ids, archived),
    'runs.get': async ({ id }) => get(id),
    async 'runs.series'({ id }) {
      get(id);
      return store.runs.series(id);
    },
    async 'runs.latencies'({ ids, ...part }, signal) {
      const found = [];
      for (const id of ids) found.push(await runLatencies(store.runs, get(id), part, signal));
      return found;
    },
    'runs.progress': async () => runner.progress(),
    async 'runs.update'({ id, name, tags, notes }) {
      const patch = {
        ...(name === undefined ? {} : { name }),
        ...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
        ...(notes === undefined ? {} : { notes }),
      };
      return Object.keys(patch).length > 0 ? store.runs.update(id, patch) : runHeadSchema.parse(get(id));
    },
    async 'runs.leaveOut'({ id, reason }) {
      store.runs.leaveOut(id, reason);
      return runHeadSchema.parse(get(id));
    },
    async 'runs.remove'({ ids }) {
      store.runs.remove(ids);
      return null;
    },
    async 'runs.restore'({ ids }) {
      store.runs.restore(ids);
      return null;
    },
    'runs.text': async ({ id }) => runText(get(id), store.runs.series(id).ticks),
  };
}

/** @throws AppError `bad-input` naming the first term that cannot be read */
function termsOf(filter: string, now: Date): FilterTerm[] {
  const { terms, problems } = parseRunFilter(filter, now);
  const [problem] = problems;
  if (problem === undefined) return terms;
  throw new AppError({
    code: 'bad-input',
    message: problem.message,
    place: { field: 'filter' },
    detail: problem.text,
    hint: problem.hint ?? undefined,
  });
}
