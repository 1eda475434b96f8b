import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataFile, type FileFormatName, type Interleaving, wholeDataFile } from './files.ts';
import { AsciiWriter, positional } from './formats/asciiWriter.ts';

const oneHour = {
  useCase: 'cpu-only',
  seed: 123,
  scale: 10,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-01T01:00:00Z',
  logInterval: '10s',
};
function rows(changes: Record<string, unknown> = {}) {
  return { workload: 'tsbs', parameters: { ...oneHour, ...changes } };
}
function text(changes: Record<string, unknown>, format: FileFormatName, interleaving?: Interleaving): string {
  return wholeDataFile(rows(changes), format, interleaving).toString('latin1');
}

describe('TSBS’s data files, byte for byte', () => {
  // Check sums of what TSBS itself writes.
  it.each([
    ['timescaledb', {}, 767004, 'b5843cb0f944486cea0721b15411492b954f1c5fcde25d773976bdae26d7555a'],
    ['questdb', {}, 1231111, '9532785e38451e5657eb26b04d6256569c4d233c603377bb948b71c1fa721841'],
    [
      'timescaledb',
      { initialScale: 2 },
      419922,
      'a22864e2660399226c3727f3fa59082e2e06a55f4cbdb656df9479f7402e729c',
    ],
    [
      'timescaledb',
      { scale: 100, timestampEnd: '2016-01-02T00:00:00Z' },
      186243741,
      '1461b3ad23c4b775abafa907b97462fd2a304df319296a04c1f28e49af9bf5c4',
    ],
    [
      'timescaledb',
      { useCase: 'devops', scale: 2, timestampEnd: '2016-01-01T00:05:00Z' },
      143926,
      '5d08118ef3367985176493d0e493793732932888883ecec877687b3d8cb27b8b',
    ],
    [
      'questdb',
      { useCase: 'devops', scale: 2, timestampEnd: '2016-01-01T00:05:00Z' },
      224945,
      '7d199a44791f9bebf2356b4db9a6cb13cf490bfb5c01061f17014c37cceafe4d',
    ],
    [
      'timescaledb',
      { useCase: 'devops' },
      8677574,
      '932af8a0538257a05aa2bdb830e4f297e4f1b0a8823eaec8960b0f0deeaf5149',
    ],
    [
      'timescaledb',
      { useCase: 'iot' },
      1251559,
      '9096a630c7b866b65d0c26ae84416f42256f2d37932694ad4ff57baa13e16439',
    ],
    [
      'questdb',
      { useCase: 'iot' },
      1540121,
      '982ec8f4f37e0891e06782e3b3a69ffd6601bf3f50081a2d7c955902c9171589',
    ],
    [
      'timescaledb',
      { useCase: 'iot', initialScale: 2 },
      653834,
      'f20560bd961b070a73f47f1ad255893d602e85141b8a5a34d76d5e839d0f32c0',
    ],
    [
      'timescaledb',
      { useCase: 'iot', maxDataPoints: 1000 },
      173033,
      '9b81fdd27189c6f6a135cf8768be9b0007c7bb65aa7706acf405b66acf7b5363',
    ],
  ] as const)('%s %o', (format, changes, bytes, sha256) => {
    const hash = createHash('sha256');
    let length = 0;
    for (const block of dataFile(rows(changes), format)) {
      hash.update(block);
      length += block.length;
    }
    expect(length).toBe(bytes);
    expect(hash.digest('hex')).toBe(sha256);
  });

  it('says the same in both formats', () => {
    const tagsOf: string[] = [];
    const fromTimescale = text({ timestampEnd: '2016-01-01T00:10:00Z' }, 'timescaledb')
      .split('\n\n')[1]
      ?.trimEnd()
      .split('\n')
      .flatMap((line) => {
        const [first = '', ...rest] = line.split(',');
        if (first === 'tags') {
          tagsOf.push(rest.join(','));
          return [];
        }
        return [[first, tagsOf.at(-1), ...rest].join(' ')];
      });
    const fromQuest = text({ timestampEnd: '2016-01-01T00:10:00Z' }, 'questdb')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [series = '', fields = '', time = ''] = line.split(' ');
        const [table = '', ...tags] = series.split(',');
        const values = fields.split(',').map((f) => f.replace(/^[a-z_]+=(\d+)i$/, '$1'));
        return [table, tags.join(','), time, ...values].join(' ');
      });
    expect(fromQuest).toHaveLength(600);
    expect(fromTimescale).toEqual(fromQuest);
  });

  it('begins as TSBS’s documents show it', () => {
    expect(text({}, 'timescaledb').split('\n').slice(0, 5)).toEqual([
      'tags,hostname string,region string,datacenter string,rack string,os string,arch string,team string,service string,service_version string,service_environment string',
      'cpu,usage_user,usage_system,usage_idle,usage_nice,usage_iowait,usage_irq,usage_softirq,usage_steal,usage_guest,usage_guest_nice',
      '',
      'tags,hostname=host_0,region=eu-central-1,datacenter=eu-central-1a,rack=6,os=Ubuntu15.10,arch=x86,team=SF,service=19,service_version=1,service_environment=test',
      'cpu,1451606400000000000,58,2,24,61,22,63,6,44,80,38',
    ]);
  });

  it('deals the rows out to interleaved groups, nothing twice, nothing lost', () => {
    const lines = (interleaving?: Interleaving) =>
      text({ initialScale: 3, maxDataPoints: 2000 }, 'questdb', interleaving).trimEnd().split('\n');
    const all = lines();
    const groups = [0, 1, 2].map((group) => lines({ groups: 3, group }));
    expect(all.map((_, k) => groups[k % 3]?.[Math.floor(k / 3)])).toEqual(all);
    expect(groups.flat()).toHaveLength(all.length);
    expect(() => text({}, 'questdb', { groups: 3, group: 3 })).toThrow(RangeError);
  });
});

describe('numbers without a text', () => {
  const printed = (write: (writer: AsciiWriter) => void) => {
    const writer = new AsciiWriter(400);
    write(writer);
    return writer.take().toString('latin1');
  };

  it('are the same as with one', () => {
    const cut = fc
      .tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.nat(5))
      .map(([n, places]) => n / 10 ** places);
    fc.assert(
      fc.property(fc.oneof(cut, fc.double({ noNaN: true, noDefaultInfinity: true })), (x) => {
        expect(printed((writer) => writer.double(x))).toBe(positional(x));
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -1100, max: 1100 })), (n) => {
        expect(printed((writer) => writer.integer(n))).toBe(BigInt(n).toString());
      }),
      { numRuns: 1000 },
    );
  });
});

describe('positional', () => {
  it('prints the fewest digits without an exponent', () => {
    expect([124, 38.24311829, 1e-7, -1.5e-9, 1e21, 1.25e22, 0.1].map(positional)).toEqual([
      '124',
      '38.24311829',
      '0.0000001',
      '-0.0000000015',
      '1000000000000000000000',
      '12500000000000000000000',
      '0.1',
    ]);
  });

  it('reads back as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const printed = positional(x);
        expect(printed).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(printed)).toBe(x === 0 ? 0 : x);
      }),
    );
  });
});
