import type { CommandLinePlan, LeftOut } from '../../src-shared/contract/commands.ts';
import { AppError } from '../../src-shared/errors.ts';
import { isTsbsConfig } from '../../src-shared/tsbsConfig.ts';
import { readCommandLines } from '../workloads/commandLine/readCommandLines.ts';
import { workloads } from '../workloads/registry.ts';
import { redacted, redactText } from './redact.ts';
import { withoutPassword } from './targetUrl.ts';

/** Command lines as a plan. @throws AppError where there is none that can be run here */
export function planFromCommandLine(text: string, files: Record<string, string>): CommandLinePlan {
  if (isTsbsConfig(text))
    throw new AppError({
      code: 'bad-input',
      message: 'This is a configuration of tsbs_load and no command line',
      hint: 'Import it as YAML: it becomes a plan too.',
    });
  const tools = workloads.flatMap(({ commandLine }) => commandLine ?? []);
  const { name, target, steps, leftOut, missingFiles } = readCommandLines(
    text,
    tools,
    new Map(Object.entries(files)),
  );
  return {
    plan: {
      ...{ version: 1, name, steps, repeat: 1 },
      target: target === null ? 'sandbox' : withoutPassword(target),
    },
    serverNamed: target !== null,
    leftOut: leftOut.map(shownLeftOut),
    missingFiles,
  };
}

export function shownLeftOut(item: LeftOut): LeftOut {
  return { ...item, option: shown(item.option) };
}

/** An unknown option may hold a password, or a URL with one. It is a single word: what is behind `=` is its value to the end. */
export function shown(option: string): string {
  const own = option
    .replace(/((?:password|passwd|pwd|secret|token)=).*$/is, `$1${redacted}`)
    .replace(/(:\/\/[^:@/]*:).*@/s, `$1${redacted}@`);
  return redactText(own);
}
