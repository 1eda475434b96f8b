import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { maxRequestBytes } from '../../src-shared/contract/bridge.ts';
import { toastError } from '../components/toasts.tsx';
import { paths } from '../routes.ts';
import { droppedFile } from '../state/droppedFile.ts';
import { pathOf } from '../state/pathOf.ts';
import classes from './FileDrop.module.css';

/** TSBS gives its data files no name of their own; these are usual. */
const dataNames = /(?:^[^.]+|\.(?:gz|zst|csv|data|dat|lp|line|influx))$/i;

/** More than any plan or configuration has. */
const mostPlanBytes = 4 * 1024 * 1024;

/**
 * A file that is dropped anywhere on the window: a plan or a configuration of `tsbs_load` is opened among the plans, results
 * and reports among the runs; a data file becomes a new benchmark that loads it.
 */
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
      const holds = kindOf(file);
      if (holds === null && dataNames.test(file.name)) {
        const found = pathOf(file);
        if (found.error === null) {
          droppedFile.putData(found.path);
          navigate(paths.newPlan);
        } else toastError(found.error);
        return;
      }
      if (holds === null) {
        toastError({
          code: 'bad-input',
          message: `${file.name} can be neither a plan nor runs`,
          hint: 'Plans and configurations of tsbs_load end in .yaml or .yml; exported runs, results and reports in .json, .txt, .log or .out; data files of TSBS in .gz, .zst, .csv, .data, .lp or nothing.',
        });
        return;
      }
      file.text().then((text) => {
        droppedFile.put({ name: file.name, text, holds });
        navigate(holds === 'plan' ? paths.plans : paths.runs);
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

  return over ? (
    <div className={classes.over} role="status">
      Drop a plan, a configuration of tsbs_load, runs to import, or a data file to load
    </div>
  ) : null;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

function kindOf({ name, size }: File): 'plan' | 'runs' | null {
  if (/\.ya?ml$/i.test(name)) return size <= mostPlanBytes ? 'plan' : null;
  // The file is one string of a message, in which quotes and line ends take two bytes.
  return /\.(?:json|txt|log|out)$/i.test(name) && size <= maxRequestBytes / 2 ? 'runs' : null;
}
