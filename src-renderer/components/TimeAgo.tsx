import { type ReactNode, useEffect, useState } from 'react';
import { exactTime, timeAgo } from './timeAgo.ts';

/** `3 min ago`, the exact time on hover; kept up to date twice a minute. */
export function TimeAgo(props: { iso: string }): ReactNode {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const at = new Date(props.iso);
  return (
    <time dateTime={props.iso} title={exactTime(at)} style={{ whiteSpace: 'nowrap' }}>
      {timeAgo(at, now)}
    </time>
  );
}
