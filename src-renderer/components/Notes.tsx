import Markdown from 'markdown-to-jsx/react';
import type { ReactNode } from 'react';
import classes from './Notes.module.css';

/**
 * Notes as they were meant: Markdown, with HTML in it shown as it was typed, addresses of scripts left out, and pictures as
 * their words, since nothing is fetched from elsewhere.
 */
export function Notes(props: { text: string }): ReactNode {
  return (
    <Markdown className={classes.notes} options={options}>
      {props.text}
    </Markdown>
  );
}

const options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  forceWrapper: true,
  wrapper: 'div',
  // Headings of a note are below those of the page.
  overrides: {
    h1: { component: 'h4' },
    h2: { component: 'h4' },
    h3: { component: 'h4' },
    h4: { component: 'h5' },
    h5: { component: 'h6' },
    a: { component: NoteLink },
    img: { component: NotePicture },
    iframe: { component: Nothing },
    script: { component: Nothing },
    style: { component: Nothing },
  },
} as const;

/** Only to pages and mail: whatever else an address is, its words stay. */
function NoteLink(props: { href?: string; children?: ReactNode }): ReactNode {
  const { href = '', children } = props;
  if (!/^(https?:|mailto:)/i.test(href)) return children;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

function NotePicture(props: { alt?: string; src?: string }): ReactNode {
  return `[picture: ${props.alt || props.src || ''}]`;
}

function Nothing(): ReactNode {
  return null;
}
