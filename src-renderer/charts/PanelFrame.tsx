import { ActionIcon, Menu, Popover, Text } from '@mantine/core';
import { IconCopy, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useId } from 'react';
import { toastDone, toastError } from '../components/toasts.tsx';
import { copyPng, copySvg, copyText, type Picture } from './exportPanel.ts';
import classes from './TimeChart.module.css';

/** What every chart has around it: title with its unit, how its figures are made, and copies of it. */
export function PanelFrame(props: {
  id: string;
  title: string;
  unit: string;
  help: string;
  /** Holds the drawing that is copied. */
  box: RefObject<HTMLElement | null>;
  picture: () => Picture;
  csv: () => string;
  actions?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const { title, box, picture, csv } = props;
  const titleId = useId();
  const copies: [name: string, copy: () => Promise<void>][] = [
    ['PNG', () => copyPng(box.current, picture())],
    ['SVG', () => copySvg(box.current, picture())],
    ['CSV', () => copyText(csv())],
  ];
  return (
    <section className={classes.panel} aria-labelledby={titleId} data-panel={props.id}>
      <header className={classes.header}>
        <h2 id={titleId} className={classes.title}>
          {title} <span className={classes.unit}>{props.unit}</span>
        </h2>
        {props.actions}
        <Popover width={320} position="bottom-end">
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={`${title}: how the figures are made`}
            >
              <IconInfoCircle size={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <Text size="sm">{props.help}</Text>
          </Popover.Dropdown>
        </Popover>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={24} aria-label={`${title}: copy`}>
              <IconCopy size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {copies.map(([name, copy]) => (
              <Menu.Item
                key={name}
                onClick={() => {
                  copy().then(() => toastDone(`${title} copied as ${name}`), toastError);
                }}
              >
                Copy as {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </header>
      {props.children}
    </section>
  );
}
