import { createContext, type ReactNode, useContext, useState } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { elapsedAxis, type XAxisKind } from './xAxis.ts';

/** What all panels of a screen share: the axis, and on it the crosshair and the zoom. */
export interface GroupState {
  axis: XAxisKind;
  cursor: number | null;
  zoom: readonly [number, number] | null;
}
export type GroupStore = StoreApi<GroupState>;

const GroupContext = createContext<GroupStore | null>(null);

/** Panels below share one crosshair and one zoom. The axis stays what it is: give the group a key to change it. */
export function ChartGroup(props: { axis?: XAxisKind; children: ReactNode }): ReactNode {
  const [store] = useState(() =>
    createStore<GroupState>(() => ({ axis: props.axis ?? elapsedAxis, cursor: null, zoom: null })),
  );
  return <GroupContext value={store}>{props.children}</GroupContext>;
}

export function useGroupStore(): GroupStore {
  const store = useContext(GroupContext);
  if (store === null) throw new Error('no ChartGroup above this component');
  return store;
}

/** One part of the shared state; the component draws again only when that part changes. */
export function useGroup<T>(select: (state: GroupState) => T): T {
  return useStore(useGroupStore(), select);
}
