import { Checkbox, Group, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Form.module.css';
import type { FieldProps } from './fieldProps.ts';
import { effective, toText } from './values.ts';

/** Several of many: a box for each with its help, and all or none at once. */
export function ChoicesControl(props: FieldProps): ReactNode {
  const { field, values, error, onChange, onLeave } = props;
  const value = effective(field, values);
  const chosen = Array.isArray(value) ? value.map(toText) : [];
  // In the order of the options: the same choice is the same plan.
  const choose = (picked: readonly string[]) =>
    onChange(field.options.map((option) => option.value).filter((option) => picked.includes(option)));
  return (
    <Checkbox.Group
      label={
        <Group gap={12} component="span">
          {field.label}
          <Text size="xs" c="dimmed" component="span" fw={400}>
            {chosen.length} of {field.options.length}
          </Text>
        </Group>
      }
      description={field.help}
      inputWrapperOrder={['label', 'description', 'error', 'input']}
      error={error}
      value={chosen}
      onChange={choose}
      onBlur={onLeave}
    >
      <Group gap={12} mt={4}>
        <UnstyledButton className={classes.reset} onClick={() => choose(field.options.map((o) => o.value))}>
          All
        </UnstyledButton>
        <UnstyledButton className={classes.reset} onClick={() => choose([])}>
          None
        </UnstyledButton>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing={8} mt={8}>
        {field.options.map((option) => (
          <Checkbox
            key={option.value}
            size="sm"
            value={option.value}
            label={option.label}
            description={option.help ?? undefined}
          />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
