import { IconPlugX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { connection } from '../connection.ts';
import classes from './Shell.module.css';

/** Says that the core is out of reach; once it is back, everything on the screen is fetched anew. */
export function ConnectionLost(): ReactNode {
  const state = useSyncExternalStore(connection.subscribe, connection.get);
  const client = useQueryClient();
  const wasLost = useRef(false);
  useEffect(() => {
    if (state === 'open' && wasLost.current) void client.invalidateQueries();
    wasLost.current = state === 'lost';
  }, [state, client]);
  if (state !== 'lost') return null;
  return (
    <div className={classes.lost} role="alert">
      <IconPlugX size={18} aria-hidden />
      <span>
        <b>The connection to the Benchberry core is lost.</b> It is tried again every second; what is on the
        screen is from before.
        {/* Each start of `serve` has another address, which this page cannot know. */}
        {window.benchberry === undefined &&
          ' If Benchberry has ended, start it again and open the address that it prints.'}
      </span>
    </div>
  );
}
