import { useEffect, useRef, useState } from 'react';
import type { Panel } from './panel.ts';

/**
 * The same panels, each taken over in a frame of its own: six charts drawn in one task would hold up the page, more so
 * on a machine that is busy measuring. A panel that comes or goes does so at once.
 */
export function useStaggered(panels: readonly Panel[]): readonly Panel[] {
  const [shown, setShown] = useState(panels);
  // Goes round, so that the last panels get their turn even where frames are slower than the data.
  const turn = useRef(0);
  useEffect(() => {
    let left = panels.length;
    let frame = 0;
    function next(): void {
      const i = turn.current % panels.length;
      turn.current = i + 1;
      left -= 1;
      setShown((now) =>
        sameIds(now, panels) ? now.map((panel, k) => (k === i ? (panels[i] ?? panel) : panel)) : panels,
      );
      if (left > 0) frame = requestAnimationFrame(next);
    }
    if (left > 0) frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  }, [panels]);
  return sameIds(shown, panels) ? shown : panels;
}

function sameIds(a: readonly Panel[], b: readonly Panel[]): boolean {
  return a.length === b.length && a.every(({ id }, i) => id === b[i]?.id);
}
