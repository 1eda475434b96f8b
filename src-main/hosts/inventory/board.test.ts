import { describe, expect, it } from 'vitest';
import {
  decodeRevision,
  parseCores,
  parseKilohertz,
  parseMaxClock,
  parseMemTotal,
  parseModel,
  parseRevisionCode,
} from './board.ts';
import { parsedBy, recorded } from './recorded.ts';

const gb = 1024 ** 3;

describe('the board', () => {
  // Values of the documentation's examples and of boards whose size is printed on the box.
  it.each([
    ['a02082', 'Raspberry Pi 3 Model B Rev 1.2', gb, 'BCM2837'],
    ['a01041', 'Raspberry Pi 2 Model B Rev 1.1', gb, 'BCM2836'],
    ['2a020d3', 'Raspberry Pi 3 Model B Plus Rev 1.3', gb, 'BCM2837'],
    ['902120', 'Raspberry Pi Zero 2 W Rev 1.0', gb / 2, 'BCM2837'],
    ['c03111', 'Raspberry Pi 4 Model B Rev 1.1', 4 * gb, 'BCM2711'],
    ['d04170', 'Raspberry Pi 5 Model B Rev 1.0', 8 * gb, 'BCM2712'],
    ['e04171', 'Raspberry Pi 5 Model B Rev 1.1', 16 * gb, 'BCM2712'],
    ['c03130', 'Raspberry Pi 400 Rev 1.0', 4 * gb, 'BCM2711'],
  ])('decodes %s', (code, model, memoryBytes, processor) => {
    expect(decodeRevision(code)).toEqual({ model, memoryBytes, processor });
  });

  it('knows what it does not know', () => {
    expect(decodeRevision('0010')).toBeNull(); // old style: a Pi 1
    expect(decodeRevision('f0fff0')).toEqual({ model: null, memoryBytes: null, processor: null });
    expect(decodeRevision('what')).toBeNull();
    expect(parseRevisionCode('Revision\t: 0000\n')).toBeNull();
    expect(parseRevisionCode('')).toBeNull();
  });

  it('names every recorded board by its /proc/cpuinfo alone', () => {
    const names = Object.values(parsedBy(/cpuinfo/, (text) => parseModel('', text)));
    expect(names.filter((name) => name === null)).toHaveLength(2); // Fedora without a code, mainline without anything
    const known = names.filter((name) => name !== null);
    expect(known).toHaveLength(22);
    for (const name of known) expect(name).toMatch(/^Raspberry Pi [\w ]+ Rev 1\.\d$/);
    expect(parseModel('', recorded('misc/proc-cpuinfo-pi2b-volumio-no-model-line.txt'))).toBe(
      'Raspberry Pi 2 Model B Rev 1.1',
    );
  });

  it('reads every recorded revision', () => {
    const codes = Object.values(parsedBy(/cpuinfo/, parseRevisionCode));
    const count = (code: string | null) => codes.filter((other) => other === code).length;
    expect(count(null)).toBe(3);
    expect(count('d04170')).toBe(5);
    expect(count('a020d3')).toBe(3);
    expect(count('902120')).toBe(2);
    for (const code of codes) if (code !== null) expect(decodeRevision(code)?.processor).toMatch(/^BCM2/);
  });

  it('prefers the device tree, with its NUL byte', () => {
    expect(parseModel('Raspberry Pi 5 Model B Rev 1.0\0', 'Model : something else')).toBe(
      'Raspberry Pi 5 Model B Rev 1.0',
    );
    expect(Object.values(parsedBy(/device-tree-model/, (text) => parseModel(text, '')))).toEqual([
      'Raspberry Pi Compute Module 4 Rev 1.0',
      'Raspberry Pi Compute Module 4 Rev 1.1',
      'Raspberry Pi 3 Model B+',
      'Raspberry Pi 3 Model B Plus Rev 1.3',
      'Raspberry Pi 4 Model B Rev 1.1',
      'Raspberry Pi 4 Model B Rev 1.2',
      'Raspberry Pi 4 Model B Rev 1.4',
      'Raspberry Pi 4 Model B Rev 1.4',
      'Raspberry Pi 4 Model B Rev 1.4',
      'Raspberry Pi 5 Model B Rev 1.0',
      'Raspberry Pi 5 Model B Rev 1.0',
      'Raspberry Pi 5 Model B Rev 1.0',
    ]);
  });

  it('reads the memory that Linux sees', () => {
    expect(parsedBy(/meminfo/, parseMemTotal)).toEqual({
      'pi3bplus-raspbian-buster-32/proc-meminfo.txt': 698_348 * 1024,
      'pi3bplus-rpios-bookworm-64/proc-meminfo.txt': 929_100 * 1024,
      'pi4b-8gb-raspbian-buster-kernel64/proc-meminfo.txt': 7_750_448 * 1024,
      'pizero-512mb-rpios-32/proc-meminfo.txt': 437_796 * 1024,
      'pizero-512mb-rpios-overlayfs/proc-meminfo.txt': 437_804 * 1024,
      'zero2w-rpios-trixie/proc-meminfo.txt': 426_068 * 1024,
    });
  });

  it('counts cores and reads the clock of every recorded lscpu', () => {
    const cores = Object.values(parsedBy(/lscpu/, (text) => parseCores('', text, '')));
    expect(cores).toEqual(Array(12).fill(4));
    expect(Object.values(parsedBy(/lscpu/, (text) => parseMaxClock('', text)))).toEqual([
      2400, 1200, 1400, 1800, 1800, 1800, 2400, 1500, 2000, 2400, 2400, 1000,
    ]);
    expect(parseCores('4\n', '', '')).toBe(4);
    expect(parseCores('', '', recorded('pi5-8gb-rpios-bookworm-64/proc-cpuinfo.txt'))).toBe(4);
    expect(parseCores('sh: nproc: not found', '', '')).toBeNull();
    expect(parseKilohertz('1800000\n')).toBe(1800);
    expect(parseKilohertz('cat: scaling_cur_freq: No such file or directory')).toBeNull();
  });
});
