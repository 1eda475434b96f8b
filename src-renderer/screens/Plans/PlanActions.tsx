import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconCopyPlus, IconDots, IconFileExport, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { type SavedPlan, stepId } from '../../../src-shared/model/plan.ts';
import { useAction } from '../../api.tsx';
import { toastDone, toastError } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import { drafts } from './drafts.ts';
import { TsbsDialog } from './TsbsDialog.tsx';
import { useDeletePlan } from './useDeletePlan.ts';
import type { PlanForm } from './usePlanForm.ts';
import { YamlDialog } from './YamlDialog.tsx';

/** Steps that `tsbs_load` does too. */
const loadsOfTsbs = ['tsbs.load', 'tsbs.file'];

/** Save, take back, and what else can be done with a plan as a whole. */
export function PlanActions(props: {
  form: PlanForm;
  saved: SavedPlan | null;
  draftKey: string;
  /** The plan cannot be saved as it is. */
  onProblem: () => void;
}): ReactNode {
  const { form, saved } = props;
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<'yaml' | 'tsbs' | null>(null);
  const save = useAction('plans.save');
  const remove = useDeletePlan();
  const isOwn = saved !== null && !saved.sample;

  function handleSave(id: string | null, name?: string): void {
    if (form.plan === null) {
      props.onProblem();
      return;
    }
    const plan = name === undefined ? form.plan : { ...form.plan, name };
    save.mutate(
      { id, plan },
      {
        onSuccess: (stored) => {
          drafts.delete(props.draftKey);
          toastDone(`${plan.name} is saved`);
          if (stored.id !== id) navigate(paths.plan(stored.id));
        },
        onError: toastError,
      },
    );
  }

  return (
    <>
      {form.changed && (
        <Button variant="subtle" color="gray" onClick={form.discard}>
          Discard changes
        </Button>
      )}
      <Button
        variant="default"
        loading={save.isPending}
        disabled={isOwn && !form.changed}
        onClick={() => handleSave(isOwn ? saved.id : null)}
      >
        {isOwn ? 'Save' : 'Save as a plan'}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label="What else can be done with this plan">
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconFileExport size={16} aria-hidden />}
            disabled={form.plan === null}
            onClick={() => setShown('yaml')}
          >
            Show as YAML
          </Menu.Item>
          {form.plan?.steps.some((step) => loadsOfTsbs.includes(stepId(step))) && (
            <Menu.Item
              leftSection={<IconFileExport size={16} aria-hidden />}
              onClick={() => setShown('tsbs')}
            >
              Show for tsbs_load
            </Menu.Item>
          )}
          {saved !== null && (
            <Menu.Item
              leftSection={<IconCopyPlus size={16} aria-hidden />}
              disabled={form.plan === null}
              onClick={() => handleSave(null, `${form.draft.name}, copy`.slice(0, 200))}
            >
              Duplicate
            </Menu.Item>
          )}
          {isOwn && (
            <Menu.Item
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => {
                remove(saved);
                navigate(paths.plans);
              }}
            >
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {shown === 'yaml' && form.plan !== null && (
        <YamlDialog plan={form.plan} onClose={() => setShown(null)} />
      )}
      {shown === 'tsbs' && form.plan !== null && (
        <TsbsDialog plan={form.plan} onClose={() => setShown(null)} />
      )}
    </>
  );
}
