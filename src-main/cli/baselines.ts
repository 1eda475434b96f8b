import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { AgainstBaseline } from '../../src-shared/model/baseline.ts';
import { textTable } from '../reports/table.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { findSide } from './compare.ts';

/** `baseline set ID`: the run, or the repeats of a series, that further runs of its plan are held against. */
export function setBaseline(cli: Cli, name: string): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const { key, runIds } = await findSide(api, name);
    const { plan } = await api.call('baselines.set', { side: key });
    const what = runIds.length === 1 ? `the run ${key}` : `${runIds.length} runs of ${key}`;
    cli.terminal.out(`Baseline of ${plan}: ${what}`);
    return exitCodes.ok;
  });
}

/** `baseline clear PLAN`. @throws AppError `not-found` where it has none */
export function clearBaseline(cli: Cli, plan: string): Promise<number> {
  return withApp(cli, async ({ api }) => {
    if ((await api.call('baselines.get', { plan })) === null) {
      throw new AppError({
        code: 'not-found',
        message: `The plan ${plan} has no baseline`,
        hint: 'benchberry baseline show lists those that have one.',
      });
    }
    await api.call('baselines.clear', { plan });
    cli.terminal.out(`${plan} has no baseline any more; its runs stay.`);
    return exitCodes.ok;
  });
}

/** `baseline show [PLAN]`: of one plan, or of all. */
export function showBaselines(cli: Cli, plan: string | null, { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const all = await api.call('baselines.list', null);
    const found = plan === null ? all : all.filter((each) => each.plan === plan);
    if (json) cli.terminal.out(jsonText(found));
    else if (found.length === 0) cli.terminal.out('No baseline. Set one with: benchberry baseline set ID');
    else {
      const rows = found.map((each) => [each.plan, each.side, each.setAt.slice(0, 19).replace('T', ' ')]);
      cli.terminal.out(textTable([['Plan', 'Run or series', 'Set (UTC)'], ...rows], 'lll').join('\n'));
    }
    return exitCodes.ok;
  });
}

/** What a run comes to against the baseline of its plan, as lines below its summary; none without a baseline. */
export async function againstBaseline(api: Api, runId: string): Promise<string[]> {
  const found = await api.call('baselines.compare', { runId });
  return found === null ? [] : baselineLines(found);
}

function baselineLines({ comparison }: AgainstBaseline): string[] {
  const verdict = comparison.verdicts[1] ?? null;
  if (verdict === null) return ['vs baseline: no rate in common'];
  return [`vs baseline: ${verdict.sentence}`, `  ${verdict.reason}`];
}
