import type { ReactNode } from 'react';
import classes from './Form.module.css';

/** A flag of another program behind a blank, or the text up to the next one. */
const parts = /(?<=\s)--?[A-Za-z][\w-]*\.?|[\s\S]+?(?=\s--?[A-Za-z]|$)\s?/g;

/** A field's help; flags such as `--table-size` are not broken at their hyphens. */
export function HelpText(props: { text: string }): ReactNode {
  return [...props.text.matchAll(parts)].map(({ 0: part, index: at }) => (
    <span key={at} className={part.startsWith('-') ? classes.flag : undefined}>
      {part}
    </span>
  ));
}
