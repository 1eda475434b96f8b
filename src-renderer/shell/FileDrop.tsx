import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { toastError } from '../components/toasts.tsx';
import { paths } from '../routes.ts';
import { droppedFile } from '../state/droppedFile.ts';
import classes from './FileDrop.module.css';

/** More than any plan or configuration has. */
const mostBytes = 4 * 1024 * 1024;

/** A plan, or a configuration of `tsbs_load`, dropped anywhere on the window is opened among the plans. */
export function FileDrop(): ReactNode {
  const [, navigate] = useLocation();
  const [over, setOver] = useState(false);

  useEffect(() => {
    // Entering an inner element comes before leaving the outer one.
    let depth = 0;
    const end = () => {
      depth = 0;
      setOver(false);
    };
    function handleEnter(event: DragEvent): void {
      if (!hasFiles(event)) return;
      depth += 1;
      setOver(true);
    }
    function handleLeave(event: DragEvent): void {
      if (!hasFiles(event)) return;
      depth -= 1;
      if (depth <= 0) end();
    }
    function handleOver(event: DragEvent): void {
      if (hasFiles(event)) event.preventDefault();
    }
    function handleDrop(event: DragEvent): void {
      end();
      const [file] = event.dataTransfer?.files ?? [];
      // A field that takes files has had it.
      if (file === undefined || event.defaultPrevented) return;
      event.preventDefault();
      if (!isReadable(file)) {
        toastError({
          code: 'bad-input',
          message: `${file.name} is no plan`,
          hint: 'Plans and configurations of tsbs_load are files with the ending .yaml or .yml.',
        });
        return;
      }
      file.text().then((text) => {
        droppedFile.put({ name: file.name, text });
        navigate(paths.plans);
      }, toastError);
    }
    const listeners = [
      ['dragenter', handleEnter],
      ['dragleave', handleLeave],
      ['dragover', handleOver],
      ['drop', handleDrop],
    ] as const;
    for (const [name, listener] of listeners) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener);
    };
  }, [navigate]);

  return over ? <div className={classes.over}>Drop a plan or a configuration of tsbs_load</div> : null;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

function isReadable({ name, size }: File): boolean {
  return /\.ya?ml$/i.test(name) && size <= mostBytes;
}
