import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookUp, matchesList } from './config.ts';

const text = `
# comment
ServerAliveInterval 30
Host pi pi4 *.rack !bad.rack
  HostName 192.168.1.20
  Port=2222
	User "a user"
  IdentityFile ~/.ssh/id pi
  IdentityFile "~/.ssh/a key"
  IdentitiesOnly yes
Match exec "true"
  HostName must.not.be.used
Host via
  ProxyJump gate.example
Host direct
  ProxyJump none
Host short
  HostName %h.example.org
Host *
  Port 2022
  User everybody
  IdentityFile ~/.ssh/last
`;

describe('~/.ssh/config', () => {
  it('takes the first value of each keyword and adds up key files', () => {
    expect(lookUp(text, 'pi')).toEqual({
      hostName: '192.168.1.20',
      port: 2222,
      user: 'a user',
      identityFiles: ['~/.ssh/id', '~/.ssh/a key', '~/.ssh/last'],
      identitiesOnly: true,
      hostKeyAlias: null,
      proxy: null,
    });
  });

  it('knows patterns and exceptions', () => {
    expect(lookUp(text, 'three.rack').hostName).toBe('192.168.1.20');
    expect(lookUp(text, 'bad.rack').hostName).toBeNull();
    expect(lookUp(text, 'PI4').port).toBe(2222);
    expect(lookUp(text, 'elsewhere')).toMatchObject({ hostName: null, port: 2022, user: 'everybody' });
  });

  it('tells of a detour, and of none', () => {
    expect(lookUp(text, 'via').proxy).toBe('gate.example');
    expect(lookUp(text, 'direct').proxy).toBeNull();
  });

  it('fills the name in', () => {
    expect(lookUp(text, 'short').hostName).toBe('short.example.org');
  });

  it('follows Include one level, within the condition it stands in', () => {
    const files: Record<string, string[]> = {
      'config.d/*': ['Host inner\n HostName one', 'Host inner\n HostName two\nInclude deeper\n'],
      work: ['HostName work.example'],
      deeper: ['HostName too.deep'],
    };
    const read = (pattern: string) => files[pattern] ?? [];
    expect(lookUp('Include config.d/*\nHost other\n', 'inner', read).hostName).toBe('one');
    expect(lookUp('Host office\n Include work\n Port 7', 'office', read)).toMatchObject({
      hostName: 'work.example',
      port: 7,
    });
    expect(lookUp('Host office\n Include work', 'home', read).hostName).toBeNull();
    expect(lookUp('Include config.d/*\nHost x', 'x', read).hostName).toBeNull();
  });

  it('passes over whatever makes no sense', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (noise, name) => {
        const found = lookUp(noise, name, () => [noise]);
        expect(found.port === null || (found.port > 0 && found.port < 65_536)).toBe(true);
      }),
    );
    expect(lookUp('Host x\nPort high\nPort', 'x').port).toBeNull();
  });

  it('matches as a regular expression of the same meaning does', () => {
    const piece = fc.constantFrom('a', 'b', '.', '*', '?');
    const pattern = fc.array(piece, { maxLength: 8 }).map((p) => p.join(''));
    const name = fc.array(fc.constantFrom('a', 'b', '.', 'c'), { maxLength: 10 }).map((p) => p.join(''));
    fc.assert(
      fc.property(name, pattern, (n, p) => {
        const same = new RegExp(`^${p.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(matchesList(n, [p])).toBe(same.test(n));
        expect(matchesList(n, ['*', `!${p}`])).toBe(!same.test(n));
      }),
    );
  });
});
