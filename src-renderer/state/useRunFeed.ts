import { useEffect, useState, useSyncExternalStore } from 'react';
import { useApi } from '../api.tsx';
import { connection } from '../connection.ts';
import { createHealthline } from './healthline.ts';
import { createRunFeed, type FeedSnapshot, type RunFeed } from './runFeed.ts';
import { createServerline } from './serverline.ts';
import { createTimeline } from './timeline.ts';

const nothing: FeedSnapshot = {
  status: 'loading',
  error: null,
  timeline: createTimeline(0),
  health: createHealthline(0),
  server: createServerline(0),
  serverWatch: null,
  events: [],
  version: 0,
};

/** The time axis of a run, live or saved, while the component is there. */
export function useRunFeed(runId: string): { feed: FeedSnapshot; reload: () => void } {
  const api = useApi();
  const [source, setSource] = useState<RunFeed | null>(null);
  useEffect(() => {
    const created = createRunFeed(api, runId);
    setSource(created);
    let previous = connection.get();
    const off = connection.subscribe(() => {
      const now = connection.get();
      // What was sent while nobody listened is in the history.
      if (previous === 'lost' && now === 'open') created.reload();
      previous = now;
    });
    return () => {
      off();
      created.close();
      setSource(null);
    };
  }, [api, runId]);
  const feed = useSyncExternalStore(source?.subscribe ?? subscribeToNothing, source?.get ?? getNothing);
  return { feed, reload: () => source?.reload() };
}

function subscribeToNothing(): () => void {
  return () => undefined;
}
function getNothing(): FeedSnapshot {
  return nothing;
}
