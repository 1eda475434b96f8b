import { Button, Collapse } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, type ReactNode, useId, useState } from 'react';
import type { FormField } from '../../src-shared/model/form.ts';
import { FieldControl } from './FieldControl.tsx';
import classes from './Form.module.css';
import { differs, groupFields, type Json, type Values } from './values.ts';

/**
 * A form from its fields: headings, controls, problems beside them, advanced ones folded away. Fields of the
 * advanced part that were changed or have a problem are counted on its button, so that nothing hides in there.
 */
export function FieldsForm(props: {
  fields: readonly FormField[];
  values: Values;
  /** Points out what departs from the defaults; on unless said otherwise. */
  showChanges?: boolean;
  /** Whether numbers may be lists, as in a plan. */
  lists?: boolean;
  /** Field key → what is wrong with it; only what may be shown by now. */
  problems: ReadonlyMap<string, string>;
  onChange: (key: string, value: Json | undefined) => void;
  onLeave: (key: string) => void;
  /** A control that is no field, e.g. a password: behind the field `after`, else at the end of the first group. */
  extra?: { after: string; control: ReactNode };
}): ReactNode {
  const { groups, advanced } = groupFields(props.fields);
  const [opened, setOpened] = useState(false);
  const foldId = useId();
  const showChanges = props.showChanges ?? true;
  const folded = advanced.flatMap((group) => group.fields);
  const changed = folded.filter((field) => showChanges && differs(field, props.values)).length;
  const wrong = folded.filter((field) => props.problems.has(field.key)).length;
  const showFolded = opened || wrong > 0;
  const { extra } = props;
  const neighbour =
    extra && (props.fields.find(({ key }) => key === extra.after) ?? groups[0]?.fields.at(-1))?.key;

  const draw = (group: { title: string; fields: FormField[] }) => (
    <fieldset key={group.title} className={classes.group}>
      <legend className={classes.legend}>{group.title}</legend>
      <div className={classes.grid}>
        {group.fields.map((field) => (
          <Fragment key={field.key}>
            <FieldControl
              field={field}
              values={props.values}
              showChanges={showChanges}
              lists={props.lists === true}
              error={props.problems.get(field.key)}
              onChange={(value) => props.onChange(field.key, value)}
              onLeave={() => props.onLeave(field.key)}
            />
            {field.key === neighbour && extra?.control}
          </Fragment>
        ))}
      </div>
    </fieldset>
  );

  return (
    <div className={classes.form}>
      {groups.map(draw)}
      {folded.length > 0 && (
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={
              showFolded ? (
                <IconChevronDown size={16} aria-hidden />
              ) : (
                <IconChevronRight size={16} aria-hidden />
              )
            }
            aria-expanded={showFolded}
            aria-controls={foldId}
            onClick={() => setOpened(!showFolded)}
          >
            Advanced: {folded.length} settings{changed > 0 && `, ${changed} changed`}
            {wrong > 0 && `, ${wrong} to correct`}
          </Button>
          <Collapse id={foldId} expanded={showFolded}>
            <div className={classes.folded}>{advanced.map(draw)}</div>
          </Collapse>
        </div>
      )}
    </div>
  );
}
