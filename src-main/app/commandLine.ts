import type { CommandLinePlan } from '../../src-shared/contract/commands.ts';
import { readCommandLines } from '../workloads/commandLine/readCommandLines.ts';
import { workloads } from '../workloads/registry.ts';
import { withoutPassword } from './targetUrl.ts';

/** Command lines as a plan. @throws AppError where there is none that can be run here */
export function planFromCommandLine(text: string, files: Record<string, string>): CommandLinePlan {
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
    leftOut,
    missingFiles,
  };
}
