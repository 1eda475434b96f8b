import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ErrorData, ErrorPlace } from '../../src-shared/errors.ts';
import classes from './ErrorPanel.module.css';

/** A next step that can be taken at once. */
export interface NextStep {
  label: string;
  onClick: () => void;
}

/** What failed, where, the cause as the server gave it, and the next step. */
export function ErrorPanel(props: { error: ErrorData; next?: NextStep | undefined }): ReactNode {
  const { error, next } = props;
  const places = error.place === undefined ? [] : describePlace(error.place);
  return (
    <div className={classes.panel} role="alert">
      <IconAlertTriangle size={20} aria-hidden className={classes.icon} />
      <div className={classes.body}>
        <Text fw={600}>{error.message}</Text>
        {places.length > 0 && (
          <dl className={classes.places}>
            {places.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {error.detail !== undefined && <pre className={classes.detail}>{error.detail}</pre>}
        {error.hint !== undefined && <Text size="sm">{error.hint}</Text>}
        {next !== undefined && (
          <Group mt={8}>
            <Button variant="default" onClick={next.onClick}>
              {next.label}
            </Button>
          </Group>
        )}
      </div>
    </div>
  );
}

/** The parts of a place that are there, as name and value. */
function describePlace(place: ErrorPlace): [string, string][] {
  const server =
    place.host === undefined
      ? undefined
      : place.port === undefined
        ? place.host
        : `${place.host}:${place.port}`;
  const line =
    place.line === undefined
      ? undefined
      : place.column === undefined
        ? String(place.line)
        : `${place.line}, column ${place.column}`;
  const all: [string, string | undefined][] = [
    ['Target', place.target],
    ['Server', server],
    ['Database', place.database],
    ['File', place.file],
    ['Line', line],
    ['Field', place.field],
    ['Statement', place.statement],
  ];
  return all.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] satisfies [string, string]],
  );
}
