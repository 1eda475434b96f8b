import { createStore, useStore } from 'zustand';

/** A file that was dropped on the window, waiting for the screen that reads such files. */
interface Dropped {
  file: { name: string; text: string; holds: 'plan' | 'runs' } | null;
  /** Path of a data file; its text stays where it is. */
  data: string | null;
}

const store = createStore<Dropped>(() => ({ file: null, data: null }));

export const droppedFile = {
  put: (file: NonNullable<Dropped['file']>) => store.setState({ file }),
  putData: (path: string) => store.setState({ data: path }),
  done: () => store.setState({ file: null, data: null }),
};

/** @param holds of the screen that asks: a file of another kind is not for it */
export function useDroppedFile(holds: 'plan' | 'runs'): Dropped['file'] {
  return useStore(store, ({ file }) => (file?.holds === holds ? file : null));
}

export function useDroppedData(): string | null {
  return useStore(store, ({ data }) => data);
}
