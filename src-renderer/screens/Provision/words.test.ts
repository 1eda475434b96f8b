import { describe, expect, it } from 'vitest';
import type { Inventory } from '../../../src-shared/model/host.ts';
import type { Provisioning, ProvisionStep } from '../../../src-shared/model/provision.ts';
import {
  changeWords,
  consequences,
  describeProvisioning,
  fieldWords,
  firstStage,
  progress,
  unlocked,
} from './words.ts';

function step(partial: Partial<ProvisionStep>): ProvisionStep {
  return {
    id: 'headless.boot-target',
    recipe: 'headless',
    title: 'Boot without the desktop',
    changes: [],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    script: '',
    state: 'to-do',
    evidence: '',
    log: '',
    error: null,
    ...partial,
  };
}
function provisioning(status: Provisioning['status']): Provisioning {
  return {
    id: 'p',
    hostId: 'h',
    plan: { hostId: 'h', recipes: [{ id: 'headless', parameters: {} }], before: '', after: '' },
    status,
    preflight: [],
    steps: [],
    targetId: null,
    error: null,
    generated: [],
    updatedAt: '2026-11-30T12:00:00.000Z',
  };
}
const unseen = { inventory: null };
const unknown = { value: null, raw: '' };
/** A host that told nothing but how one becomes root on it. */
function withSudo(value: 'none' | 'password'): Inventory {
  return {
    at: '2026-11-30T12:00:00.000Z',
    model: unknown,
    serialHidden: false,
    memoryBytes: unknown,
    cores: unknown,
    kernelArch: unknown,
    userlandArch: unknown,
    kernel: unknown,
    pageSizeBytes: unknown,
    os: unknown,
    distribution: unknown,
    codename: unknown,
    root: { device: unknown, fileSystem: unknown, kind: unknown, totalBytes: unknown, freeBytes: unknown },
    disks: [],
    network: {
      device: unknown,
      wifi: unknown,
      speedMbit: unknown,
      wifiPowerSaving: unknown,
      roundTripUs: null,
    },
    gui: { defaultTarget: unknown, displayManager: unknown, running: unknown },
    postgresClusters: [],
    docker: { version: unknown, arch: unknown, memoryLimit: unknown, rootFolder: unknown },
    ports: [],
    memoryCgroup: unknown,
    psi: unknown,
    clockOffsetSeconds: unknown,
    clockSynchronized: unknown,
    sudo: { value, raw: '' },
    aptBusy: unknown,
    rebootPending: unknown,
    temperatureC: unknown,
    clockMhz: unknown,
    maxClockMhz: unknown,
    throttle: unknown,
    bootId: unknown,
  };
}

describe('the wizard', () => {
  it('opens nothing but the connection before the host was seen', () => {
    expect([...unlocked(unseen, null)]).toEqual(['connect']);
    expect(firstStage(unseen, null)).toBe('connect');
  });
  it('opens what has what it needs', () => {
    const seen = { inventory: withSudo('none') };
    expect([...unlocked(seen, null)]).toEqual(['connect', 'inventory', 'recipe']);
    expect(unlocked(seen, provisioning('planned')).has('apply')).toBe(false);
    expect([...unlocked(seen, provisioning('failed'))].at(-1)).toBe('apply');
    expect([...unlocked(seen, provisioning('undone'))].at(-1)).toBe('done');
  });
  it('opens at what is to be done next', () => {
    const stages = (['planned', 'applying', 'failed', 'cancelled', 'undoing', 'done', 'undone'] as const).map(
      (status) => firstStage(unseen, provisioning(status)),
    );
    expect(stages).toEqual(['review', 'apply', 'apply', 'apply', 'apply', 'done', 'done']);
  });
});

describe('what a plan means', () => {
  const byPassword = { inventory: withSudo('password'), auth: { method: 'password' as const } };
  it('says how much, what stays for good, the restart and the password', () => {
    const steps = [
      step({}),
      step({ id: 'b', reversible: false, needsReboot: true }),
      step({ id: 'c', state: 'already-so', reversible: false }),
    ];
    expect(changeWords(steps)).toBe('2 changes');
    expect(consequences(steps, byPassword)).toEqual([
      '1 step is so already',
      '1 change cannot be undone',
      'The host restarts once',
      'sudo asks for a password: the one of the sign-in is given',
    ]);
  });
  it('says that nothing is to be done', () => {
    const steps = [step({ state: 'already-so' }), step({ id: 'b', state: 'already-so' })];
    expect(changeWords(steps)).toBe('Nothing to change');
    expect(consequences(steps, byPassword)).toEqual(['2 steps are so already']);
  });
  it('says who is asked for a password, and where nobody is', () => {
    const agent = { method: 'agent' as const };
    expect(consequences([step({})], { inventory: withSudo('password'), auth: agent }).at(-1)).toBe(
      'sudo asks for a password: you are asked for it',
    );
    expect(consequences([step({})], { inventory: withSudo('none'), auth: agent }).at(-1)).toBe(
      'Works as root, no password is asked',
    );
    expect(consequences([step({ needsRoot: false })], { inventory: null, auth: agent })).toEqual([
      'Everything can be undone',
      'The host is not restarted',
    ]);
  });
});

it('counts the steps that are through, in both directions', () => {
  const steps = [step({ state: 'done' }), step({ state: 'undone' }), step({ state: 'already-so' })];
  expect(progress(steps, false)).toEqual({ done: 2, all: 3 });
  expect(progress(steps, true)).toEqual({ done: 2, all: 3 });
  expect(progress([step({ state: 'done' })], true)).toEqual({ done: 0, all: 1 });
});

it('says a state to be heard', () => {
  expect(describeProvisioning('failed', 'rpi-3')).toBe('rpi-3: setting up failed');
});

describe('a field of a plan', () => {
  const recipes = [
    { id: 'database', label: 'Database in Docker', description: '', fields: [] },
    {
      id: 'packages',
      label: 'Database from packages',
      description: '',
      fields: [
        {
          key: 'password',
          label: 'Password',
          help: '',
          group: 'Database',
          advanced: false,
          unit: null,
          kind: 'secret' as const,
          options: [],
          min: null,
          max: null,
          required: false,
          default: '',
        },
      ],
    },
  ];
  const plan = {
    ...provisioning('done').plan,
    recipes: [...recipes].map(({ id }) => ({ id, parameters: {} })),
  };
  it('is told in the words of its form, or as it is where no form has it', () => {
    expect(fieldWords('recipes[1].password', plan, recipes)).toBe('Database from packages: Password');
    expect(fieldWords('recipes[0].password', plan, recipes)).toBe('recipes[0].password');
    expect(fieldWords('recipes[7].password', plan, recipes)).toBe('recipes[7].password');
  });
});
