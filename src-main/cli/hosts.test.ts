import { describe, expect, test } from 'vitest';
import type { Handlers } from '../../src-shared/contract/api.ts';
import type { FormField } from '../../src-shared/model/form.ts';
import type { Host } from '../../src-shared/model/host.ts';
import type { RecipeInfo } from '../../src-shared/model/provision.ts';
import { makeHost, makeProvisioning } from '../store/testHost.ts';
import { makeInventory } from '../store/testInventory.ts';
import { addHost } from './hosts.ts';
import { provisionHost } from './provision.ts';
import { fakeApp, fakeCli } from './testCli.ts';

const host: Host = { ...makeHost(), hasSecret: false };
const key = { type: 'ssh-ed25519', fingerprint: 'SHA256:right' };

function adding() {
  const calls: string[] = [];
  const handlers: Partial<Handlers> = {
    'hosts.save': async ({ auth }) => {
      calls.push(`save ${auth.method}`);
      return host;
    },
    'hosts.key': async () => ({ key, standing: 'new', expected: null }),
    'hosts.trust': async ({ key: trusted }) => {
      calls.push(`trust ${trusted.fingerprint}`);
      return host;
    },
    'hosts.remove': async () => {
      calls.push('remove');
      return null;
    },
  };
  return { calls, app: fakeApp(handlers).app };
}
const options = { user: 'pi', port: 22 };

describe('host add', () => {
  test('pins the key whose fingerprint was given', async () => {
    const { calls, app } = adding();
    const { cli } = fakeCli(app, { BENCHBERRY_HOST_PASSWORD: 'p' });
    expect(await addHost(cli, 'rpi', 'rpi.local', { ...options, fingerprint: 'SHA256:right' })).toBe(0);
    expect(calls).toEqual(['save password', 'trust SHA256:right']);
  });

  test.each([
    ['another fingerprint', 'SHA256:wrong', 'host-key-changed'],
    ['nobody to confirm it', undefined, 'host-key-unknown'],
  ])('with %s keeps no host', async (_, fingerprint, code) => {
    const { calls, app } = adding();
    const given = fingerprint === undefined ? options : { ...options, fingerprint };
    await expect(addHost(fakeCli(app).cli, 'rpi', 'rpi.local', given)).rejects.toMatchObject({ code });
    expect(calls).toEqual(['save agent', 'remove']);
  });
});

const field = (key: string, kind: FormField['kind']): FormField => ({
  key,
  label: key,
  help: '',
  group: 'General',
  advanced: false,
  unit: null,
  kind,
  options: [],
  min: null,
  max: null,
  required: false,
  default: null,
});
const recipes: RecipeInfo[] = [
  {
    id: 'database',
    label: 'Database',
    description: '',
    fields: [field('port', 'integer'), field('password', 'secret')],
  },
];

describe('host provision', () => {
  function planning() {
    const plans: unknown[] = [];
    const { app } = fakeApp({
      'hosts.list': async () => [host],
      'provision.plan': async (plan) => {
        plans.push(plan.recipes);
        return makeProvisioning();
      },
    });
    return { plans, app };
  }
  const dry = { recipe: ['database'], set: ['port=5433'], dryRun: true };

  test('--dry-run plans and does nothing else; the password comes from the environment', async () => {
    const { plans, app } = planning();
    const { cli } = fakeCli(app, { BENCHBERRY_PASSWORD: 'hidden' });
    expect(await provisionHost(cli, recipes, 'RPI-3', dry)).toBe(0);
    expect(plans).toEqual([[{ id: 'database', parameters: { port: 5433, password: 'hidden' } }]]);
  });

  test.each([
    ['an unknown recipe', { ...dry, recipe: ['databse'] }, 'not-found', 'Did you mean database?'],
    ['an unknown setting', { ...dry, set: ['prot=1'] }, 'unknown-key', 'Did you mean port?'],
    ['a password in the command line', { ...dry, set: ['password=x'] }, 'bad-input', 'BENCHBERRY_PASSWORD'],
  ])('%s is said', async (_, given, code, hint) => {
    const { plans, app } = planning();
    await expect(provisionHost(fakeCli(app).cli, recipes, 'rpi-3', given)).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(hint),
    });
    expect(plans).toEqual([]);
  });

  test('a password that was made is told once, apart from the output', async () => {
    const made = makeProvisioning({
      plan: {
        hostId: host.id,
        recipes: [{ id: 'database', parameters: { password: '' } }],
        before: '',
        after: '',
      },
      generated: ['recipes[0].password'],
    });
    const { app, emit } = fakeApp({
      'hosts.list': async () => [host],
      'provision.plan': async () => made,
      'provision.get': async () => made,
      'provision.apply': async () => {
        emit('provision.changed', { ...made, status: 'done' });
        return made;
      },
      'provision.generated': async () => [{ field: 'recipes[0].password', secret: 'Kx7s' }],
    });
    const { cli, stdout, stderr } = fakeCli(app);
    const options = { recipe: ['database'], set: [], yes: true, json: true };
    expect(await provisionHost(cli, recipes, 'rpi-3', options)).toBe(0);
    expect(stderr()).toContain('Password made for database: Kx7s\n');
    expect(stdout()).not.toContain('Kx7s');
  });

  test('without --yes and without anybody to ask, nothing is applied', async () => {
    const { app } = planning();
    const { cli } = fakeCli(app);
    await expect(provisionHost(cli, recipes, 'rpi-3', { ...dry, dryRun: false })).rejects.toMatchObject({
      code: 'bad-input',
      hint: expect.stringContaining('--yes'),
    });
  });
});

describe('host provision --resume, where a password is kept no longer', () => {
  const error = {
    code: 'password-needed' as const,
    message: 'The password given with this plan is kept no longer',
    place: { field: 'recipes[0].password' },
    secret: 'recipe' as const,
  };
  function resuming() {
    const given: unknown[] = [];
    const failed = makeProvisioning({ status: 'failed', hostId: host.id });
    const fake = fakeApp({
      'hosts.list': async () => [host],
      'hosts.inventory': async () => makeInventory(),
      'provision.list': async () => [failed],
      'provision.get': async () => failed,
      'provision.setSecret': async ({ field: place, secret }) => {
        given.push([place, secret]);
        return null;
      },
      'provision.apply': async () => {
        const end =
          given.length > 0
            ? makeProvisioning({ hostId: host.id, status: 'done' })
            : makeProvisioning({ hostId: host.id, status: 'failed', error });
        setImmediate(() => fake.emit('provision.changed', end));
        return failed;
      },
    });
    return { given, app: fake.app };
  }
  const resume = { recipe: [], set: [], resume: true, yes: true };

  test('takes it from the environment and goes on', async () => {
    const { given, app } = resuming();
    const { cli, stdout } = fakeCli(app, { BENCHBERRY_PASSWORD: 'again' });
    expect(await provisionHost(cli, [], host.name, resume)).toBe(0);
    expect(given).toEqual([['recipes[0].password', 'again']]);
    expect(stdout()).toContain('All done.');
  });

  test('asks for it in a terminal', async () => {
    const { given, app } = resuming();
    const { cli } = fakeCli(app);
    const questions: string[] = [];
    const terminal = {
      ...cli.terminal,
      secret: async (question: string) => {
        questions.push(question);
        return 'typed';
      },
    };
    expect(await provisionHost({ ...cli, terminal }, [], host.name, resume)).toBe(0);
    expect(questions).toEqual([
      'The password given with this plan is kept no longer. Password of the database: ',
    ]);
    expect(given).toEqual([['recipes[0].password', 'typed']]);
  });

  test('ends with the reason where nobody can give it', async () => {
    const { app } = resuming();
    const { cli, stderr } = fakeCli(app);
    expect(await provisionHost(cli, [], host.name, resume)).toBe(1);
    expect(stderr()).toContain('kept no longer');
  });
});
