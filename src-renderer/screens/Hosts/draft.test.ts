import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import { hostDraftSchema } from '../../../src-shared/model/host.ts';
import { checkDraft, fieldOfError, freshDraft, picked, readAddress, toHostDraft } from './draft.ts';

describe('a secret that is stored', () => {
  it('is kept for its own way to sign in, and goes when another one is chosen', () => {
    const draft = { ...freshDraft, address: 'a', keyFile: '~/.ssh/id', keptFor: 'password' as const };
    expect(toHostDraft(draft).secret).toBeNull();
    expect(toHostDraft({ ...draft, method: 'key' }).secret).toBe('');
    expect(toHostDraft({ ...draft, method: 'key', secret: 'phrase' }).secret).toBe('phrase');
    expect(toHostDraft({ ...draft, method: 'agent' }).secret).toBe('');
    expect(toHostDraft({ ...draft, method: 'agent', keptFor: null }).secret).toBeNull();
  });
});

describe('a host that was picked from the network', () => {
  const found = { name: 'raspberrypi.local', address: '192.168.7.20', port: 22 };

  it('goes by its own name, unless that is taken or another one is typed', () => {
    expect(picked(found, [])).toEqual({ address: '192.168.7.20', port: '22', foundAs: 'raspberrypi' });
    expect(picked(found, ['RaspberryPi', 'raspberrypi 2']).foundAs).toBe('raspberrypi 3');
    const draft = { ...freshDraft, ...picked(found, []) };
    expect(toHostDraft(draft)).toMatchObject({ name: 'raspberrypi', address: '192.168.7.20', port: 22 });
    expect(toHostDraft({ ...draft, name: 'attic' }).name).toBe('attic');
  });
});

describe('readAddress', () => {
  it.each([
    ['raspberrypi.local', { address: 'raspberrypi.local' }],
    [' pi@raspberrypi.local ', { user: 'pi', address: 'raspberrypi.local' }],
    ['ssh mira@10.0.0.7:2222', { user: 'mira', address: '10.0.0.7', port: '2222' }],
    ['ssh://pi@rack-3', { user: 'pi', address: 'rack-3' }],
    ['fe80::1', { address: 'fe80::1' }],
    ['[fe80::1]:22', { address: 'fe80::1', port: '22' }],
    ['', { address: '' }],
  ])('takes %j apart', (text, expected) => {
    expect(readAddress(text)).toEqual(expected);
  });
  it('reads any text without loss of a plain name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9.-]{0,30}$/), (name) => {
        expect(readAddress(name)).toEqual({ address: name });
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => typeof readAddress(text).address === 'string'));
  });
});

describe('the form of a host', () => {
  it('is named after its address and says nothing that was not typed', () => {
    const draft = { ...freshDraft, address: ' raspberrypi.local ', secret: 's' };
    expect(checkDraft(draft).size).toBe(0);
    expect(toHostDraft(draft)).toEqual({
      id: null,
      name: 'raspberrypi.local',
      address: 'raspberrypi.local',
      port: 22,
      user: 'pi',
      auth: { method: 'password' },
      group: null,
      secret: 's',
    });
  });
  it('says what is missing', () => {
    const draft = { ...freshDraft, user: ' ', port: '70000', method: 'key' as const };
    expect([...checkDraft(draft).keys()].sort()).toEqual(['address', 'keyFile', 'port', 'user']);
  });
  it('takes what the contract takes, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.record({ address: fc.string(), user: fc.string(), name: fc.string(), port: fc.string() }),
        (typed) => {
          const draft = { ...freshDraft, ...typed };
          if (checkDraft(draft).size > 0) return;
          expect(hostDraftSchema.safeParse(toHostDraft(draft)).success).toBe(true);
        },
      ),
    );
  });
  it('finds the field that the core complains about', () => {
    const about = (field: string) =>
      fieldOfError(new AppError({ code: 'bad-input', message: 'm', place: { field } }));
    expect(about('auth.keyFile')).toBe('keyFile');
    expect(about('address')).toBe('address');
    expect(about('other')).toBeNull();
  });
});
