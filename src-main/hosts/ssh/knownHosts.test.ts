import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeKey, judgeKey, knownKeys } from './knownHosts.ts';

// Made by ssh-keygen; the fingerprints are those that ssh-keygen -l prints, the hashed lines those of ssh-keygen -H.
const a = 'AAAAC3NzaC1lZDI1NTE5AAAAIMP8Yhd8urcl83qUqx0i3l2HE/81H7FZIqO94gMlJgM+';
const b = 'AAAAC3NzaC1lZDI1NTE5AAAAIOAXPwDxQSMHp1hEGOSPUJIa/gz/QrZnqxbqcnA7Q2IS';
const keyA = { type: 'ssh-ed25519', fingerprint: 'SHA256:Oq7QPWVSVIQqTRoXyumlxxvJXgRB5RatX4aPhrPcOmA' };
const keyB = { type: 'ssh-ed25519', fingerprint: 'SHA256:iAM3Kg4WLki6MPZDcQd2w+TOtxadteZgiFp+DZVh11E' };
const rsa = { type: 'ssh-rsa', fingerprint: 'SHA256:FtJNwwz80q+Vta0P3FzzH5z8u8lTRlgLYPcTnThELkE' };
const hashed = `
|1|Xqa0TLUBMjUoSXlTeFhEo8CRuzM=|UyLDIPQlI/e/yFnSWr2Rey5j5Rs= ssh-ed25519 ${a}
|1|3KPxR9v+y/C63v4jIizt0//dqPc=|vaKYTqzqWIsfyJRHloSbS0mCxxQ= ssh-ed25519 ${a}
|1|z+uKYMYvtzdBrucXtCJU99lV7JM=|NQvw/mymVJ23oBGTlWg4UZ2YaEE= ssh-ed25519 ${b}
`;
const plain = `# a comment
raspberrypi.local,192.168.1.20 ssh-ed25519 ${a} pi@home
[pi.example]:2222 ssh-ed25519 ${b}
*.rack,!bad.rack ssh-ed25519 ${b}
@cert-authority *.example ssh-ed25519 ${a}
@revoked gone.example ssh-ed25519 ${a}
gone.example ssh-rsa not-this-type
gone.example
`;
const known = (text: string, host: string, port = 22) =>
  knownKeys(text, host, port).map((k) => (k.revoked ? 'revoked' : k.key.fingerprint));

describe('known_hosts', () => {
  it.each([
    ['plain', plain],
    ['hashed', hashed],
  ])('finds names, addresses and ports: %s', (_, text) => {
    expect(known(text, 'raspberrypi.local')).toEqual([keyA.fingerprint]);
    expect(known(text, 'RaspberryPi.local')).toEqual([keyA.fingerprint]);
    expect(known(text, '192.168.1.20')).toEqual([keyA.fingerprint]);
    expect(known(text, 'pi.example', 2222)).toEqual([keyB.fingerprint]);
    expect(known(text, 'pi.example')).toEqual([]);
    expect(known(text, 'raspberrypi.local', 2222)).toEqual([]);
  });

  it('knows patterns, revoked keys, and passes over authorities and damaged lines', () => {
    expect(known(plain, 'one.rack')).toEqual([keyB.fingerprint]);
    expect(known(plain, 'bad.rack')).toEqual([]);
    expect(known(plain, 'x.example')).toEqual([]);
    expect(known(plain, 'gone.example')).toEqual(['revoked']);
  });

  it('finds any hashed name', () => {
    fc.assert(
      fc.property(fc.domain(), fc.uint8Array({ minLength: 20, maxLength: 20 }), (name, salt) => {
        const hash = createHmac('sha1', salt).update(name.toLowerCase()).digest('base64');
        const line = `|1|${Buffer.from(salt).toString('base64')}|${hash} ssh-ed25519 ${a}\n`;
        expect(known(line, name)).toEqual([keyA.fingerprint]);
        expect(known(line, `x${name}`)).toEqual([]);
      }),
    );
  });

  it('survives any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (noise, host) => {
        expect(knownKeys(`${noise}\npi ssh-ed25519 ${a}`, 'pi', 22).length).toBeGreaterThan(0);
        knownKeys(noise, host, 22);
        describeKey(Buffer.from(noise));
      }),
    );
  });
});

describe('a key that a host shows', () => {
  it.each([
    ['nothing known', keyA, null, [], { standing: 'new', expected: null }],
    ['pinned', keyA, keyA, [], { standing: 'pinned', expected: keyA }],
    ['not the pinned one', keyB, keyA, [], { standing: 'changed', expected: keyA }],
    ['pinned, whatever known_hosts has', keyA, keyA, [keyB], { standing: 'pinned', expected: keyA }],
    ['known', keyA, null, [rsa, keyB, keyA], { standing: 'known-hosts', expected: keyA }],
    ['not the known one', keyA, null, [rsa, keyB], { standing: 'changed', expected: keyB }],
    ['of a type that is not known', keyA, null, [rsa], { standing: 'changed', expected: rsa }],
  ])('%s', (_, shown, pinned, keys, judged) => {
    const list = keys.map((key) => ({ key, revoked: false }));
    expect(judgeKey(shown, pinned, list)).toEqual(judged);
  });

  it('is refused when revoked, pinned or not', () => {
    const revoked = [{ key: keyA, revoked: true }];
    expect(judgeKey(keyA, keyA, revoked)).toEqual({ standing: 'changed', expected: null });
    expect(judgeKey(keyB, null, revoked).standing).toBe('new');
  });
});
