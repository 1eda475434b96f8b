import type { Inventory } from '../../src-shared/model/host.ts';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import type { Remote } from '../hosts/remote.ts';
import type { ProvisioningRepository, RunOwner } from '../store/repositories.ts';
import type { RecipeTarget } from './step.ts';

/** What the executor needs of the app. */
export interface ExecutorOptions {
  repository: ProvisioningRepository;
  /** Signs in; a lost connection is opened anew by the next call. */
  connect(hostId: string, signal: AbortSignal): Promise<Remote>;
  /** Reads what the host is, and keeps it with the host. */
  inventory(hostId: string, remote: Remote, signal: AbortSignal): Promise<Inventory>;
  publish(provisioning: Provisioning): void;
  secrets: {
    get(id: string): Promise<string | null>;
    set(id: string, secret: string): Promise<void>;
    remove(id: string): Promise<void>;
  };
  /** Keeps a database that was made as a target of the workbench; returns the target's id. */
  keepTarget(hostId: string, target: RecipeTarget, address: string): Promise<string>;
  owner: RunOwner;
  isAlive(owner: RunOwner): boolean;
  now(): Date;
}
