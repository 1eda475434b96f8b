import { Alert, Button, Text } from '@mantine/core';
import { IconColumns, IconInfoCircle, IconPlus, IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { mostSides } from '../../../src-shared/model/sideKey.ts';
import { numberWord } from '../../../src-shared/stats/words.ts';
import { formatCount } from '../../../src-shared/units.ts';
import { useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { ShareMenu } from '../../components/ShareMenu.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { parseSides, paths } from '../../routes.ts';
import { AddSides } from './AddSides.tsx';
import { BoxSection } from './BoxSection.tsx';
import classes from './Compare.module.css';
import { CompareCharts } from './CompareCharts.tsx';
import { CompareTable } from './CompareTable.tsx';
import { Differences } from './Differences.tsx';
import { SideCards } from './SideCards.tsx';
import { SidePicker } from './SidePicker.tsx';
import { type Side, useSides } from './useSides.ts';

interface Choice {
  keys: readonly string[];
  base: number;
}
type Choose = (keys: readonly string[], base?: number) => void;

/**
 * Runs and groups of runs side by side: one sentence, what differs, the figures, the charts. `ids`: the part of the address
 * that holds the sides in their order, and which is the base.
 */
export function CompareScreen(props: { ids: string }): ReactNode {
  const { ids } = props;
  const choice = useMemo(() => parseSides(ids), [ids]);
  const [, navigate] = useLocation();
  const choose: Choose = (keys, base) => navigate(paths.compare(keys, base));
  if (choice.keys.length < 2) {
    return (
      <Page title="Compare" wide>
        <SidePicker chosen={choice.keys} onChoose={choose} />
      </Page>
    );
  }
  return <Chosen choice={choice} onChoose={choose} />;
}

function Chosen(props: { choice: Choice; onChoose: Choose }): ReactNode {
  const { choice, onChoose } = props;
  const { base } = choice;
  const keys = choice.keys.slice(0, mostSides);
  const sides = useSides(keys);
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Compare"
      wide
      actions={
        <>
          <ShareMenu sides={keys} base={Math.min(base, keys.length - 1)} />
          <Button
            variant="default"
            leftSection={<IconPrinter size={16} aria-hidden />}
            onClick={() => window.print()}
          >
            Print
          </Button>
          <Button
            variant="default"
            leftSection={<IconColumns size={16} aria-hidden />}
            onClick={() => onChoose([])}
          >
            Choose other runs
          </Button>
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={keys.length >= mostSides}
            title={keys.length >= mostSides ? `At most ${mostSides} stand side by side.` : undefined}
            onClick={() => setAdding(true)}
          >
            Add
          </Button>
        </>
      }
    >
      {sides.status === 'error' && (
        <ErrorPanel
          error={sides.error}
          next={{
            label: 'Leave this run out',
            onClick: () => onChoose(...without(keys, base, sides.key)),
          }}
        />
      )}
      {sides.status === 'loading' && <SkeletonRows rows={8} />}
      {sides.status === 'ready' && (
        <>
          {choice.keys.length > mostSides && (
            <Text size="sm" c="dimmed" mb={12}>
              The first {numberWord(mostSides)} of {formatCount(choice.keys.length)} are compared.
            </Text>
          )}
          <Comparison sides={sides.sides} base={Math.min(base, keys.length - 1)} onChoose={onChoose} />
        </>
      )}
      {adding && (
        <AddSides
          present={keys}
          onAdd={(added) => {
            setAdding(false);
            onChoose([...keys, ...added], base);
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  );
}

/** The sides without one; the base stays the same side where it is still there. */
function without(keys: readonly string[], base: number, gone: string): [keys: string[], base: number] {
  const left = keys.filter((key) => key !== gone);
  return [left, Math.max(0, left.indexOf(keys[base] ?? ''))];
}

function Comparison(props: { sides: readonly Side[]; base: number; onChoose: Choose }): ReactNode {
  const { sides, base, onChoose } = props;
  const keys = sides.map(({ key }) => key);
  const input = {
    sides: sides.map(({ label, runs }) => ({ label, runIds: runs.map(({ id }) => id) })),
    base,
  };
  const comparison = useCommand('comparisons.make', input, { keepPrevious: true });
  return (
    <div className={classes.stack}>
      <Loaded query={comparison} skeleton={<SkeletonRows rows={6} />}>
        {(made) =>
          // One that was made for other sides is no longer theirs.
          made.sides.length !== sides.length ? (
            <SkeletonRows rows={6} />
          ) : (
            <>
              <p className={classes.sentence} aria-live="polite">
                {made.sentence}
              </p>
              <Alert
                variant="light"
                color="gray"
                icon={<IconInfoCircle aria-hidden />}
                className={classes.caveats ?? ''}
              >
                {made.caveats.map((caveat) => (
                  <Text key={caveat} size="sm">
                    {caveat}
                  </Text>
                ))}
              </Alert>
              <SideCards
                sides={sides}
                base={base}
                verdicts={made.verdicts}
                onBase={(index) => onChoose(keys, index)}
                onDrop={(key) => onChoose(...without(keys, base, key))}
                onMove={(from, to) => onChoose(...moved(keys, base, from, to))}
              />
              <Differences differences={made.differences} sides={sides} />
              <CompareTable rows={made.table} sides={sides} base={base} />
              <BoxSection rows={made.table} sides={sides} />
            </>
          )
        }
      </Loaded>
      <CompareCharts sides={sides} />
    </div>
  );
}

/** The sides with one in another place; the base goes with its side. */
function moved(
  keys: readonly string[],
  base: number,
  from: number,
  to: number,
): [keys: string[], base: number] {
  const next = [...keys];
  next.splice(to, 0, ...next.splice(from, 1));
  return [next, Math.max(0, next.indexOf(keys[base] ?? ''))];
}
