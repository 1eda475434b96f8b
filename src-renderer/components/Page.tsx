import { IconChevronRight } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'wouter';
import classes from './Page.module.css';

/** The shell's place for a screen's title and actions, the same on every screen. */
export const HeaderSlot = createContext<HTMLElement | null>(null);

export interface Crumb {
  label: string;
  href: string;
}

/**
 * Frame of a screen: way to it, title and actions in the shell's header, the content below. `wide` uses the whole
 * window (charts, tables); otherwise lines stay readable.
 */
export function Page(props: {
  title: string;
  crumbs?: readonly Crumb[];
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}): ReactNode {
  const slot = useContext(HeaderSlot);
  useEffect(() => {
    document.title = `${props.title} – Benchberry`;
  }, [props.title]);
  const header = (
    <>
      <div className={classes.titles}>
        {props.crumbs !== undefined && props.crumbs.length > 0 && (
          <nav aria-label="Breadcrumbs" className={classes.crumbs}>
            {props.crumbs.map((crumb) => (
              <span key={crumb.href} className={classes.crumb}>
                <Link href={crumb.href}>{crumb.label}</Link>
                <IconChevronRight size={14} aria-hidden />
              </span>
            ))}
          </nav>
        )}
        <h1 id="page-title" className={classes.title} title={props.title}>
          {props.title}
        </h1>
      </div>
      {props.actions !== undefined && <div className={classes.actions}>{props.actions}</div>}
    </>
  );
  return (
    <>
      {slot !== null && createPortal(header, slot)}
      <div className={classes.page} data-wide={props.wide === true || undefined}>
        {props.children}
      </div>
    </>
  );
}
