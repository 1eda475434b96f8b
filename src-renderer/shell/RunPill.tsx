import { Button } from '@mantine/core';
import { IconPlayerStopFilled } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { formatElapsed } from '../../src-shared/units.ts';
import classes from './Shell.module.css';
import { useActiveBenchmark } from './useActiveBenchmark.ts';

/** A focus that went away with its button goes to the page, from where Tab goes on. */
function useFocusAfterwards(shown: boolean): (focused: boolean) => void {
  const had = useRef(false);
  useEffect(() => {
    if (shown || !had.current) return;
    had.current = false;
    if (document.activeElement === document.body) document.querySelector('main')?.focus();
  }, [shown]);
  return (focused) => {
    had.current = focused;
  };
}

/** The running benchmark, at the same place on every screen: what, how long, how far, and the way to stop it. */
export function RunPill(): ReactNode {
  const active = useActiveBenchmark();
  const keepFocus = useFocusAfterwards(active !== null);
  if (active === null) return null;
  const { name, fraction } = active;
  return (
    <section
      className={classes.pill}
      aria-label="Running benchmark"
      onFocus={() => keepFocus(true)}
      // Nobody takes the focus of a button that is switched off or goes away.
      onBlur={(event) => keepFocus(event.relatedTarget === null)}
    >
      <Link href={active.href} className={classes.pillLink ?? ''} title={`${name}: ${active.doing}`}>
        <span className={classes.pulse} aria-hidden />
        <span className={classes.pillName}>{name}</span>
        <span className={classes.pillTime}>{formatElapsed(active.elapsedMs)}</span>
        <span className={classes.pillPercent}>
          {fraction === null ? active.doing : `${Math.floor(fraction * 100)} %`}
        </span>
      </Link>
      <Button
        size="compact-sm"
        leftSection={<IconPlayerStopFilled size={14} aria-hidden />}
        loading={active.stopping}
        onClick={active.stop}
      >
        Stop
      </Button>
    </section>
  );
}
