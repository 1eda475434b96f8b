import { Fragment, type ReactNode } from 'react';
import classes from './Form.module.css';

/** A field's help; the flags of other programs in it, such as `--table-size`, are not broken at their hyphens. */
export function HelpText(props: { text: string }): ReactNode {
  return props.text.split(/(?<=\s)(--?[A-Za-z][\w-]*\.?)/).map((part, index) =>
    index % 2 === 0 ? (
      <Fragment key={`${index} ${part}`}>{part}</Fragment>
    ) : (
      <span key={`${index} ${part}`} className={classes.flag}>
        {part}
      </span>
    ),
  );
}
