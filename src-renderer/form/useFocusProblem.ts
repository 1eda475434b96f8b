import { type RefObject, useEffect, useState } from 'react';

/** Puts the focus on the first field with a problem inside `root`, once what was just set is on the screen. */
export function useFocusProblem(root: RefObject<HTMLElement | null>): () => void {
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (asked > 0) root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [asked, root]);
  return () => setAsked((times) => times + 1);
}
