import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Plan } from '../../../src-shared/model/plan.ts';
import { formatParameter } from '../../../src-shared/stats/runSeries.ts';
import { formatCount, formatCounted, formatElapsed } from '../../../src-shared/units.ts';
import { useCommand } from '../../api.tsx';
import classes from './Plans.module.css';

/** What a series comes to before it is started: how many runs, how long, in which order, and what speaks against it. */
export function SeriesPreview(props: { plan: Plan; targetIds: readonly string[] }): ReactNode {
  const input = { plan: props.plan, targetIds: [...props.targetIds] };
  const { data: preview, error } = useCommand('series.preview', input, { keepPrevious: true });
  if (error !== null) {
    return (
      <Text size="sm" c="var(--bad)" role="alert">
        {error.message}. {error.hint}
      </Text>
    );
  }
  if (preview === undefined) return null;
  return (
    <section aria-label="What the series comes to" className={classes.preview}>
      <Text fw={600} className="num">
        {formatCounted(preview.runs, 'run')}
        {preview.estimatedMs !== null && `, about ${formatElapsed(preview.estimatedMs)}`}
      </Text>
      {preview.parameters.map(({ path, label, values }) => (
        <Text key={path} size="sm" className="num">
          {label}: {values.map(formatParameter).join(', ')}
        </Text>
      ))}
      {preview.rows > 0 && (
        <Text size="sm" className="num">
          {formatCount(preview.rows)} rows in all
        </Text>
      )}
      {preview.warnings.map((text) => (
        <div key={text} className={classes.warning}>
          <IconAlertTriangle size={16} aria-label="Warning" role="img" />
          <span>{text}</span>
        </div>
      ))}
      <Text size="sm" c="dimmed">
        {[...preview.order, preview.basis].join(' ')}
      </Text>
    </section>
  );
}
