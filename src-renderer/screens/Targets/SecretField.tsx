import { PasswordInput, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommand } from '../../api.tsx';
import classes from '../../form/Form.module.css';

/** The password, and in words where it is kept. */
export function SecretField(props: {
  /** `Password`, unless it is something else. */
  label?: string;
  /** null: what is kept stays. */
  value: string | null;
  kept: boolean;
  error: string | undefined;
  onChange: (value: string | null) => void;
}): ReactNode {
  const secrets = useCommand('app.info', null).data?.secrets;
  const label = props.label ?? 'Password';
  const word = label.toLowerCase();
  const forgotten = props.kept && props.value === '';
  return (
    <div>
      <PasswordInput
        label={label}
        description={
          secrets === undefined
            ? undefined
            : `${secrets.detail}${/[.]$/.test(secrets.detail) ? '' : '.'} No plan, run or log holds one.`
        }
        placeholder={props.kept && props.value === null ? 'Kept; type to replace it' : undefined}
        value={props.value ?? ''}
        error={props.error}
        // Mantine marks the input for the eye only.
        aria-invalid={props.error !== undefined || undefined}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': `Show the ${word}` }}
        onChange={(event) =>
          props.onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)
        }
      />
      {props.kept && (
        <Text size="xs" c="dimmed" mt={4}>
          {forgotten ? `The kept ${word} is forgotten when you save. ` : `A ${word} is kept. `}
          <UnstyledButton className={classes.reset} onClick={() => props.onChange(forgotten ? null : '')}>
            {forgotten ? 'Keep it' : 'Forget it'}
          </UnstyledButton>
        </Text>
      )}
    </div>
  );
}
