import { type ReactNode, useMemo } from 'react';
import type { LatencyHeat } from '../../../src-shared/model/latencies.ts';
import { mergeCells, mergeHeat } from '../../../src-shared/stats/latencies.ts';
import { useCommand } from '../../api.tsx';
import { HeatMap, heatScale } from '../../charts/HeatMap.tsx';
import { SpectrumChart } from '../../charts/SpectrumChart.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';
import classes from './Compare.module.css';
import { type Part, partSpan, partUnit, type Recording, timeStep } from './panels.ts';
import type { Side } from './useSides.ts';

/** Columns of a heat map: narrow enough to see a stall, wide enough to hold some operations. */
const mostColumns = 120;

/** All latencies of the part that is drawn: every percentile, and how they spread over time. */
export function Latencies(props: {
  sides: readonly Side[];
  recordings: readonly Recording[];
  part: Part;
}): ReactNode {
  const { sides, recordings, part } = props;
  const duration = Math.max(
    1000,
    ...recordings.flatMap(({ all }) =>
      all.map((each) => {
        const span = partSpan(each, part);
        return span === null ? 0 : span.toMs - span.fromMs;
      }),
    ),
  );
  const latencies = useCommand('runs.latencies', {
    ids: sides.flatMap(({ counted }) => counted.map(({ id }) => id)).slice(0, 100),
    phase: part.phase,
    operation: part.operation,
    stepMs: timeStep(recordings, part, { duration, cells: mostColumns }),
  });
  const unit = partUnit(recordings, part);
  return (
    <div className={classes.latencies}>
      <Loaded query={latencies} skeleton={<SkeletonBlock height={280} />}>
        {(found) => {
          const byRun = new Map(found.map((each) => [each.id, each]));
          const joined = sides.map((side) => {
            const own = side.counted.flatMap(({ id }) => byRun.get(id) ?? []);
            const cells = mergeCells(own.flatMap((each) => each.cells ?? []));
            return { ...side, cells, heat: mergeHeat(own.flatMap((each) => each.heat ?? [])) };
          });
          return <Drawn unit={unit} part={part} sides={joined} />;
        }}
      </Loaded>
    </div>
  );
}

type Joined = Side & { cells: ReturnType<typeof mergeCells>; heat: LatencyHeat | null };

function Drawn(props: { unit: string; part: Part; sides: readonly Joined[] }): ReactNode {
  const { unit, sides } = props;
  const drawn = useMemo(() => sides.filter(({ cells }) => cells.us.length > 0), [sides]);
  const maps = drawn.flatMap(({ heat, ...side }) => (heat === null ? [] : [{ ...side, heat }]));
  const scale = heatScale(maps.map(({ heat }) => heat));
  if (drawn.length === 0) return null;
  return (
    <>
      <SpectrumChart title="Latency by percentile" unit={unit} sides={drawn} />
      <div className={classes.charts}>
        {maps.map(({ key, label, color, heat }) => (
          <HeatMap
            key={key}
            id={`heat-${key}`}
            label={label}
            unit={unit}
            color={color}
            heat={heat}
            scale={scale}
          />
        ))}
      </div>
    </>
  );
}
