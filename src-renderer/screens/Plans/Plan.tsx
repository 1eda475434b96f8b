import { SegmentedControl, Text } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { WorkloadInfo } from '../../../src-shared/model/engine.ts';
import type { SavedPlan } from '../../../src-shared/model/plan.ts';
import { builtInTargets, type Target } from '../../../src-shared/model/target.ts';
import { useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonForm } from '../../components/Skeletons.tsx';
import { paths } from '../../routes.ts';
import { droppedFile, useDroppedData } from '../../state/droppedFile.ts';
import { freshDraft, fromPlan, newStep } from './draft.ts';
import { drafts } from './drafts.ts';
import { PlanEditor } from './PlanEditor.tsx';

const crumbs = [{ label: 'Plans', href: paths.plans }];

/** One plan to be read, changed, checked and run; `id` null is a new one, on the named target. */
export function PlanScreen(props: { id: string | null; target?: string }): ReactNode {
  const title = props.id === null ? 'New benchmark' : 'Plan';
  const workloads = useCommand('workloads.list', null);
  const targets = useCommand('targets.list', null);
  const skeleton = (
    <Page title={title} crumbs={crumbs}>
      <SkeletonForm />
    </Page>
  );
  const frame = (error: ReactNode) => (
    <Page title={title} crumbs={crumbs}>
      {error}
    </Page>
  );
  return (
    <Loaded query={workloads} skeleton={skeleton} frame={frame}>
      {(allWorkloads) => (
        <Loaded query={targets} skeleton={skeleton} frame={frame}>
          {(allTargets) => {
            const known = { workloads: allWorkloads, targets: allTargets };
            return props.id === null ? (
              <NewPlan {...known} target={props.target ?? builtInTargets.sandbox} />
            ) : (
              <ExistingPlan {...known} id={props.id} skeleton={skeleton} frame={frame} />
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

interface Known {
  workloads: readonly WorkloadInfo[];
  targets: readonly Target[];
}

/** A new benchmark of the workload that is chosen; what was begun of another one stays where it was. */
function NewPlan(props: Known & { target: string }): ReactNode {
  const { workloads, targets, target } = props;
  const [chosen, setChosen] = useState(workloads[0]?.id ?? '');
  const fresh = useMemo(
    () =>
      freshDraft(
        workloads.filter(({ id }) => id === chosen),
        target,
      ),
    [workloads, chosen, target],
  );
  const where = target === builtInTargets.sandbox ? 'new' : `new on ${target}`;
  const draftKey = `${where}, ${chosen}`;
  // A data file that was dropped on the window becomes the only step.
  const [dropped, setDropped] = useState(0);
  const data = useDroppedData();
  useEffect(() => {
    const workload = workloads.find(({ steps }) => steps.some(({ id }) => id === loadFile));
    if (data === null || workload === undefined) return;
    const draft = { ...freshDraft([workload], target), name: nameOf(data) };
    drafts.set(`${where}, ${workload.id}`, { ...draft, steps: [newStep(loadFile, { file: data })] });
    droppedFile.done();
    setChosen(workload.id);
    setDropped((times) => times + 1);
  }, [data, workloads, target, where]);
  return (
    <PlanEditor
      key={`${draftKey}, ${dropped}`}
      draftKey={draftKey}
      initial={fresh}
      saved={null}
      workloads={workloads}
      targets={targets}
      lead={<WorkloadChoice workloads={workloads} chosen={chosen} onChoose={setChosen} />}
    />
  );
}

const loadFile = 'tsbs.file';

function nameOf(path: string): string {
  return `Load ${path.split(/[\\/]/).at(-1) ?? path}`;
}

function WorkloadChoice(props: {
  workloads: readonly WorkloadInfo[];
  chosen: string;
  onChoose: (id: string) => void;
}): ReactNode {
  const { workloads, chosen } = props;
  return (
    <div>
      <SegmentedControl
        aria-label="Benchmark"
        data={workloads.map(({ id, label }) => ({ value: id, label }))}
        value={chosen}
        onChange={props.onChoose}
      />
      <Text c="dimmed" mt={8}>
        {workloads.find(({ id }) => id === chosen)?.description}
      </Text>
    </div>
  );
}

function ExistingPlan(
  props: Known & { id: string; skeleton: ReactNode; frame: (error: ReactNode) => ReactNode },
): ReactNode {
  const { id, workloads, targets } = props;
  const query = useCommand('plans.get', { id });
  if (query.isError && query.data === undefined && query.error.code === 'not-found') {
    return props.frame(<ErrorPanel error={query.error} />);
  }
  return (
    <Loaded query={query} skeleton={props.skeleton} frame={props.frame}>
      {(saved) => <LoadedPlan key={saved.id} saved={saved} workloads={workloads} targets={targets} />}
    </Loaded>
  );
}

function LoadedPlan(props: Known & { saved: SavedPlan }): ReactNode {
  const { saved, workloads, targets } = props;
  const initial = useMemo(() => fromPlan(saved.plan), [saved.plan]);
  return (
    <PlanEditor draftKey={saved.id} initial={initial} saved={saved} workloads={workloads} targets={targets} />
  );
}
