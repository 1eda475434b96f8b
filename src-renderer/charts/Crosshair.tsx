import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useGroup, useGroupStore } from './group.tsx';
import { stepped } from './interaction.ts';
import { plotArea } from './Plot.tsx';
import classes from './TimeChart.module.css';

const dragPx = 5;

/**
 * The layer over a plot that is pointed at, dragged and reached by keyboard. It moves one line by itself, so that the
 * chart below is not drawn again. To a screen reader it is a slider over the elapsed time that says the values there.
 */
export function Crosshair(props: {
  label: string;
  from: number;
  to: number;
  /** Moments of the data, to step along by keyboard. */
  steps: ArrayLike<number>;
  width: number;
  height: number;
  /** Values at a moment, for the slider's text. */
  describe: (atMs: number) => string;
}): ReactNode {
  const { from, to, width, height } = props;
  const store = useGroupStore();
  const cursor = useGroup((state) => state.cursor);
  const axis = useGroup((state) => state.axis);
  const inner = Math.max(1, width - plotArea.left - plotArea.right);
  const [drag, setDrag] = useState<{ start: number; end: number } | null>(null);
  const focused = useRef(false);

  const toX = (ms: number): number => plotArea.left + ((ms - from) / (to - from)) * inner;
  const toMs = (event: PointerEvent<HTMLElement>): number => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - plotArea.left;
    return from + (Math.min(inner, Math.max(0, x)) / inner) * (to - from);
  };

  function handleDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    const at = toMs(event);
    setDrag({ start: at, end: at });
    event.currentTarget.setPointerCapture(event.pointerId);
  }
  function handleMove(event: PointerEvent<HTMLElement>): void {
    const at = toMs(event);
    store.setState({ cursor: at });
    setDrag((now) => now && { ...now, end: at });
  }
  function handleUp(): void {
    if (drag && Math.abs(toX(drag.end) - toX(drag.start)) >= dragPx) {
      store.setState({ zoom: [Math.min(drag.start, drag.end), Math.max(drag.start, drag.end)] });
    }
    setDrag(null);
  }
  function handleKey(event: KeyboardEvent<HTMLElement>): void {
    const at = store.getState().cursor;
    const next = stepped(event, at, props.steps, from, to);
    if (event.key === 'Escape') store.setState(at === null ? { zoom: null } : { cursor: null });
    else if (next !== null) store.setState({ cursor: next });
    else return;
    event.preventDefault();
  }
  // A crosshair that stays behind when the panel goes would point at nothing.
  useEffect(() => () => void (focused.current && store.setState({ cursor: null })), [store]);

  const visible = cursor !== null && cursor >= from && cursor <= to;
  return (
    <div
      className={classes.layer}
      style={{ width, height }}
      role="slider"
      tabIndex={0}
      aria-label={`${props.label}: ${axis.noun}`}
      aria-valuemin={Math.round(from)}
      aria-valuemax={Math.round(to)}
      aria-valuenow={Math.round(visible ? cursor : from)}
      aria-valuetext={
        visible ? `${axis.format(cursor)}: ${props.describe(cursor)}` : `No ${axis.noun} chosen`
      }
      onPointerDown={handleDown}
      onPointerMove={handleMove}
      onPointerUp={handleUp}
      onPointerLeave={() => {
        if (!focused.current && !drag) store.setState({ cursor: null });
      }}
      onDoubleClick={() => store.setState({ zoom: null })}
      onFocus={() => {
        focused.current = true;
      }}
      onBlur={() => {
        focused.current = false;
        store.setState({ cursor: null });
      }}
      onKeyDown={handleKey}
    >
      {visible && (
        <div
          className={classes.cursor}
          style={{ transform: `translateX(${toX(cursor)}px)`, top: plotArea.top, bottom: plotArea.bottom }}
        />
      )}
      {drag && (
        <div
          className={classes.selection}
          style={{
            left: toX(Math.min(drag.start, drag.end)),
            width: Math.abs(toX(drag.end) - toX(drag.start)),
            top: plotArea.top,
            bottom: plotArea.bottom,
          }}
        />
      )}
    </div>
  );
}
