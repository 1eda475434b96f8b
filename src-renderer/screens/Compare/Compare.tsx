import { Alert, Button, Text } from '@mantine/core';
import { IconColumns, IconInfoCircle } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { type AppError, toAppError } from '../../../src-shared/errors.ts';
import type { Run } from '../../../src-shared/model/run.ts';
import { compareRuns, runLabels } from '../../../src-shared/stats/compare.ts';
import { commandKey, useApi } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { parseIds, paths } from '../../routes.ts';
import classes from './Compare.module.css';
import { CompareCharts } from './CompareCharts.tsx';
import { CompareTable } from './CompareTable.tsx';
import { Differences } from './Differences.tsx';
import { RunColumns } from './RunColumns.tsx';
import { RunPicker } from './RunPicker.tsx';

/** Runs side by side: one sentence, what differs, the figures, the charts. `ids`: the part of the address that holds the runs in their order. */
export function CompareScreen(props: { ids: string }): ReactNode {
  const parameter = props.ids;
  const ids = useMemo(() => [...new Set(parseIds(parameter))], [parameter]);
  const [, navigate] = useLocation();
  const choose = (next: readonly string[]): void => navigate(paths.compare(next));
  if (ids.length < 2) {
    return (
      <Page title="Compare" wide>
        <RunPicker chosen={ids} onChoose={choose} />
      </Page>
    );
  }
  return <Chosen key={parameter} ids={ids} onChoose={choose} />;
}

function Chosen(props: { ids: readonly string[]; onChoose: (ids: readonly string[]) => void }): ReactNode {
  const { ids, onChoose } = props;
  const api = useApi();
  const queries = useQueries({
    queries: ids.map((id) => ({
      queryKey: commandKey('runs.get', { id }),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.call('runs.get', { id }, signal),
    })),
  });
  const failed = queries.findIndex(({ isError }) => isError);
  const runs = queries.flatMap(({ data }) => (data ? [data] : []));
  const error = queries[failed]?.error ?? null;
  return (
    <Page
      title="Compare"
      wide
      actions={
        <Button
          variant="default"
          leftSection={<IconColumns size={16} aria-hidden />}
          onClick={() => onChoose([])}
        >
          Choose other runs
        </Button>
      }
    >
      {error !== null ? (
        <CannotCompare
          error={toAppError(error)}
          onDrop={() => onChoose(ids.filter((_, i) => i !== failed))}
        />
      ) : runs.length === ids.length ? (
        <Comparison runs={runs} onChoose={onChoose} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Page>
  );
}

function CannotCompare(props: { error: AppError; onDrop: () => void }): ReactNode {
  return <ErrorPanel error={props.error} next={{ label: 'Leave this run out', onClick: props.onDrop }} />;
}

function Comparison(props: { runs: readonly Run[]; onChoose: (ids: readonly string[]) => void }): ReactNode {
  const { runs, onChoose } = props;
  const [baseId, setBaseId] = useState<string | null>(null);
  const base = Math.max(
    0,
    runs.findIndex(({ id }) => id === baseId),
  );
  const comparison = useMemo(() => compareRuns(runs, base), [runs, base]);
  const labels = useMemo(() => runLabels(runs), [runs]);
  return (
    <div className={classes.stack}>
      <p className={classes.sentence}>{comparison.sentence}</p>
      <Alert
        variant="light"
        color="gray"
        icon={<IconInfoCircle aria-hidden />}
        className={classes.caveats ?? ''}
      >
        {comparison.caveats.map((caveat) => (
          <Text key={caveat} size="sm">
            {caveat}
          </Text>
        ))}
      </Alert>
      <RunColumns
        runs={runs}
        labels={labels}
        base={base}
        onBase={setBaseId}
        onDrop={(id) => onChoose(runs.map((run) => run.id).filter((other) => other !== id))}
      />
      <Differences differences={comparison.differences} labels={labels} />
      <CompareTable rows={comparison.table} labels={labels} base={base} />
      <CompareCharts runs={runs} labels={labels} />
    </div>
  );
}
