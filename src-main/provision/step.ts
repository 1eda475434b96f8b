import type { z } from 'zod';
import type { Inventory } from '../../src-shared/model/host.ts';
import type { Remote } from '../hosts/remote.ts';

/**
 * A recipe: parameters in, steps out. One folder per recipe under `recipes/`; `registry.ts` has one line for each.
 */
export interface Recipe {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Every field with a default and `.meta()` (FieldMeta); secrets have kind `secret` and are never stored or logged. */
  readonly parameters: z.ZodObject;
  /** Why it cannot be done on this host (architecture, release, memory), in words; null when it can. */
  refuse(host: Inventory, parameters: Record<string, unknown>): string | null;
  steps(host: Inventory, parameters: Record<string, unknown>): Step[];
  /** The host as this recipe leaves it, for the recipes after it in a plan; as it was where that does not matter to them. */
  leaves?(host: Inventory, parameters: Record<string, unknown>): Inventory;
  /** The database that stands when all is done, as a target's connection; null where the recipe makes none. */
  target?(host: Inventory, parameters: Record<string, unknown>): RecipeTarget | null;
}

export interface RecipeTarget {
  engine: string;
  /** Without the host's address, which the executor fills in as `host`. */
  connection: Record<string, unknown>;
  secret: string;
}

/**
 * One change: looked at, made, looked at again, undone. Scripts are POSIX shell, read by a person in the review and in
 * the exported file; values go into them through `quote` only. Applied twice, nothing happens the second time.
 */
export interface Step {
  /** Unique in the recipe: `boot-target`. */
  readonly id: string;
  readonly title: string;
  readonly changes: readonly string[];
  readonly needsRoot: boolean;
  readonly needsReboot: boolean;
  readonly reversible: boolean;
  /** Is it so already? Reads only. The saved state is what `undo` will need; it is stored before anything is changed. */
  check(remote: Remote, signal: AbortSignal): Promise<StepCheck>;
  /** Shell text that ends with 0 where it is so already, for the exported script. Reads only; knows no secret. */
  readonly test: string;
  /** Shell text that makes it so, and says on standard output what it does. Secrets come on `secretInput` lines, not in here. */
  apply(): string;
  /** Lines of standard input that `apply` reads with `read -r`. */
  readonly secretInput?: readonly string[];
  /** Shell text that brings back what `check` saved; null when that cannot be. */
  undo(saved: Record<string, unknown>): string | null;
}

export interface StepCheck {
  done: boolean;
  /** What was seen, in words. */
  evidence: string;
  saved: Record<string, unknown>;
}
