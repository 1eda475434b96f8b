import type { Inventory } from '../../src-shared/model/host.ts';
import type { Provisioning, ProvisionStep } from '../../src-shared/model/provision.ts';
import type {
  ProvisioningRepository,
  RunOwner,
  SavedStep,
  StoredProvisioning,
} from '../store/repositories.ts';

/** Longer logs keep their end. */
const mostLog = 100_000;
const publishEveryMs = 200;

/** A provisioning under way: every change of state is stored at once, everything is published, at most five times a second. */
export interface Ledger {
  readonly value: Provisioning;
  readonly saved: Readonly<Record<string, SavedStep>>;
  readonly host: Inventory;
  update(patch: Partial<Provisioning>): void;
  step(id: string): ProvisionStep;
  updateStep(id: string, patch: Partial<ProvisionStep>): void;
  log(id: string, text: string): void;
  save(id: string, saved: SavedStep): void;
  /** Nothing is left to take back. */
  forget(): void;
  own(owner: RunOwner | null): void;
  /** Publishes what is still held back. */
  flush(): void;
  stored(): StoredProvisioning;
}

export function openLedger(
  start: StoredProvisioning,
  repository: Pick<ProvisioningRepository, 'save'>,
  publish: (provisioning: Provisioning) => void,
  now: () => Date,
): Ledger {
  let current = start;
  let timer: NodeJS.Timeout | null = null;
  let dirty = false;

  function tell(): void {
    dirty = true;
    if (timer !== null) return;
    const send = () => {
      timer = null;
      if (!dirty) return;
      dirty = false;
      publish(current.provisioning);
      timer = setTimeout(send, publishEveryMs);
      timer.unref();
    };
    send();
  }
  function change(patch: Partial<Provisioning>, keep = true): void {
    const provisioning = { ...current.provisioning, ...patch, updatedAt: now().toISOString() };
    current = { ...current, provisioning };
    if (keep) repository.save(current);
    tell();
  }
  const changeStep = (id: string, patch: Partial<ProvisionStep>, keep = true) =>
    change(
      { steps: current.provisioning.steps.map((step) => (step.id === id ? { ...step, ...patch } : step)) },
      keep,
    );
  function step(id: string): ProvisionStep {
    const found = current.provisioning.steps.find((each) => each.id === id);
    if (found) return found;
    throw new Error(`no step ${id}`);
  }
  return {
    get value() {
      return current.provisioning;
    },
    get saved() {
      return current.saved;
    },
    update: change,
    step,
    updateStep: changeStep,
    log: (id, text) => changeStep(id, { log: (step(id).log + text).slice(-mostLog) }, false),
    save(id, saved) {
      current = { ...current, saved: { ...current.saved, [id]: saved } };
      repository.save(current);
    },
    get host() {
      return current.host;
    },
    forget() {
      current = { ...current, saved: {} };
      repository.save(current);
    },
    own(owner) {
      current = { ...current, owner };
      repository.save(current);
    },
    flush() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      if (dirty) publish(current.provisioning);
      dirty = false;
    },
    stored: () => current,
  };
}
