import { useEffect } from 'react';

const attribute = 'data-mantine-color-scheme';

/** Paper is light, whatever the screen is: dark ground would cost ink and lose the lines. */
export function usePrintLight(): void {
  useEffect(() => {
    const print = window.matchMedia('print');
    let before: string | null = null;
    function follow(): void {
      const root = document.documentElement;
      if (print.matches) {
        before = root.getAttribute(attribute);
        root.setAttribute(attribute, 'light');
      } else if (before !== null) {
        root.setAttribute(attribute, before);
        before = null;
      }
    }
    follow();
    print.addEventListener('change', follow);
    return () => print.removeEventListener('change', follow);
  }, []);
}
