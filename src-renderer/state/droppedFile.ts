import { createStore, useStore } from 'zustand';

/** A file that was dropped on the window, waiting for the screen that reads such files. */
interface Dropped {
  file: { name: string; text: string } | null;
}

const store = createStore<Dropped>(() => ({ file: null }));

export const droppedFile = {
  put: (file: NonNullable<Dropped['file']>) => store.setState({ file }),
  done: () => store.setState({ file: null }),
};

export function useDroppedFile(): Dropped['file'] {
  return useStore(store, ({ file }) => file);
}
