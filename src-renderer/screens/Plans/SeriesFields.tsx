import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FormField } from '../../../src-shared/model/form.ts';
import { fromText, toText } from '../../form/values.ts';
import classes from './Plans.module.css';
import type { PlanForm } from './usePlanForm.ts';

const celsius: Pick<FormField, 'kind'> = { kind: 'number' };

/** What lies between the runs of a series, and how long it may take. */
export function SeriesFields(props: {
  form: PlanForm;
  problems: Record<'settle' | 'budget', string | undefined>;
}): ReactNode {
  const { form, problems } = props;
  const { settle, budget } = form.draft;
  const set = (patch: Partial<typeof settle>) => form.set({ settle: { ...settle, ...patch } });
  return (
    <fieldset className={`panel ${classes.series}`}>
      <legend className={classes.seriesTitle}>Between the runs</legend>
      <TextInput
        label="Idle for"
        description="A time, as 30s. Empty: the next run begins at once."
        placeholder="0s"
        value={settle.idle}
        error={problems.settle}
        onChange={(event) => set({ idle: event.currentTarget.value })}
        onBlur={() => form.leave(null, 'settle')}
      />
      <TextInput
        label="Host cooler than"
        description="Waited for where the target’s host is known."
        placeholder="Not waited for"
        rightSection={<span className="quiet">°C</span>}
        value={toText(settle.below)}
        onChange={(event) => set({ below: fromText(celsius, event.currentTarget.value) ?? '' })}
        onBlur={() => form.leave(null, 'settle')}
      />
      <TextInput
        label="Wait at most"
        description="Then the next run begins, however warm it is."
        placeholder="10m"
        value={settle.atMost}
        onChange={(event) => set({ atMost: event.currentTarget.value })}
        onBlur={() => form.leave(null, 'settle')}
      />
      <TextInput
        label="Time budget"
        description="No further run begins after it, as 8h. Empty: no limit."
        placeholder="No limit"
        value={budget}
        error={problems.budget}
        onChange={(event) => form.set({ budget: event.currentTarget.value })}
        onBlur={() => form.leave(null, 'budget')}
      />
    </fieldset>
  );
}
