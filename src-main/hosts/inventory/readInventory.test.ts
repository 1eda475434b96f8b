import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inventorySchema } from '../../../src-shared/model/host.ts';
import { localRemote } from '../testRemote.ts';
import { interpret } from './interpret.ts';
import { readInventory } from './readInventory.ts';
import { recorded, recordedNames } from './recorded.ts';
import { readSurvey, type Section, Survey, surveyScript } from './survey.ts';
import { surveyItems } from './surveyItems.ts';
import { fact } from './text.ts';

const noClock = fact<number>(null, '');
const said = (answers: Record<string, string>) =>
  new Survey(new Map(Object.entries(answers).map(([name, text]) => [name, { text, code: 0 }])));

describe('the survey', () => {
  it.skipIf(process.platform !== 'linux')('reads this machine through a real shell', async () => {
    const inventory = await readInventory(localRemote(), new AbortController().signal);
    expect(inventorySchema.parse(inventory)).toEqual(inventory);
    expect(inventory.cores.value).toBeGreaterThan(0);
    expect(inventory.memoryBytes.value).toBeGreaterThan(1e8);
    expect(inventory.kernelArch.raw).toContain('Linux');
    expect(Math.abs(inventory.clockOffsetSeconds.value ?? 99)).toBeLessThan(5);
  });

  it('says when the far end is no such system', async () => {
    const remote = {
      ...localRemote(),
      script: () => Promise.resolve({ code: 1, stdout: 'Welcome.', stderr: '' }),
    };
    await expect(readInventory(remote, new AbortController().signal)).rejects.toMatchObject({
      code: 'unsupported',
      detail: 'Welcome.',
    });
  });

  it('keeps answers apart from noise, from each other, and from imitations of its marks', () => {
    const output = [
      'setlocale: LC_ALL: cannot change locale\r',
      'M begin uname\r',
      'Linux x\r',
      'N begin arch',
      '',
      'M end uname 0',
      'noise between',
      'M begin arch',
      'sh: 1: dpkg: not found',
      'M end arch 127',
      'M begin cut-off',
      'half an ans',
    ].join('\n');
    const survey = readSurvey(output, 'M');
    expect(survey.text('uname')).toBe('Linux x\nN begin arch');
    expect(survey.text('arch')).toContain('not found');
    expect(survey.output('arch')).toBe('');
    expect(survey.text('cut-off')).toBe('');
    expect(survey.succeeded('cut-off')).toBe(false);
  });

  it('asks each thing once, and for no serial number', () => {
    expect(new Set(surveyItems.map(([name]) => name)).size).toBe(surveyItems.length);
    expect(surveyScript('M', surveyItems)).not.toMatch(/cat [^\n]*serial/);
  });
});

describe('the inventory', () => {
  it('puts together a Pi 4 with 32-bit packages on a 64-bit kernel, its root on USB', () => {
    const board = 'pi4b-8gb-raspbian-buster-kernel64';
    const inventory = interpret(
      said({
        uname: recorded(`${board}/uname-a.txt`),
        arch: 'armhf\n',
        model: `${recorded(`${board}/proc-device-tree-model.txt`)}\0`,
        cpuinfo: recorded('misc/proc-cpuinfo-pi4b-8gb-rev1.4-kernel-5.10.63-v8.txt'),
        lscpu: recorded(`${board}/lscpu.txt`),
        meminfo: recorded(`${board}/proc-meminfo.txt`),
        'os-release': recorded('os-release-files/raspbian-10.txt'),
        'rpi-issue': recorded(`${board}/rpi-issue.txt`),
        root: '/dev/sda2 ext4',
        lsblk: recorded('pi4b-8gb-raspbian-buster-ssd/lsblk.txt'),
        disks: 'sda|468862128|0|/sys/devices/platform/scb/usb2/2-1/block/sda\nmmcblk0|62333952|SD|/sys/x',
        df: recorded(`${board}/df.txt`),
        'docker-version': recorded(`${board}/docker-version.txt`),
        'docker-info': recorded(`${board}/docker-info.txt`),
        'vcgencmd-throttled': recorded('misc/vcgencmd-temp-and-throttled-pi3.txt'),
      }),
      noClock,
    );
    expect(inventory).toMatchObject({
      model: { value: 'Raspberry Pi 4 Model B Rev 1.4' },
      board: { revision: 'd03114', memoryBytes: 8 * 1024 ** 3, processor: 'BCM2711' },
      kernelArch: { value: 'aarch64' },
      userlandArch: { value: 'armhf' },
      distribution: { value: 'raspbian' },
      codename: { value: 'buster' },
      cores: { value: 4 },
      maxClockMhz: { value: 2000 },
      root: { device: { value: '/dev/sda2' }, kind: { value: 'usb' } },
      disks: [{ name: 'mmcblk0', kind: 'sd', mountPoints: [] }],
      docker: { version: { value: '20.10.6' }, arch: { value: 'arm' }, memoryLimit: { value: true } },
      throttle: { value: { underVoltage: true, frequencyCapped: false } },
    });
  });

  it('shows what it could not read as unknown, with the text', () => {
    const inventory = interpret(
      said({ 'vcgencmd-throttled': recorded('misc/vcgencmd-no-vcio-device.txt'), arch: 'm68k' }),
      noClock,
    );
    expect(inventory.throttle.value).toBeNull();
    expect(inventory.throttle.raw).toContain("Can't open device file: /dev/vcio");
    expect(inventory.userlandArch).toEqual({ value: null, raw: 'm68k' });
    expect(inventorySchema.parse(inventory)).toEqual(inventory);
  });
});

describe('anything at all', () => {
  const names = recordedNames();
  /** A recorded text, or any text, with a piece cut out, another put in, other ends of lines. */
  const mangled = fc
    .record({
      text: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...names).map(recorded) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      ),
      from: fc.nat(3000),
      length: fc.nat(300),
      insert: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\0', '9'.repeat(400), '-1', '[m')),
      ends: fc.constantFrom('\n', '\r\n', '\r', ''),
    })
    .map(({ text, from, length, insert, ends }) => {
      const cut = text.slice(0, from) + insert + text.slice(from + length);
      return cut.replaceAll('\n', ends);
    });
  const section: fc.Arbitrary<Section> = fc.record({ text: mangled, code: fc.constantFrom(0, 1, 127) });
  const survey = fc
    .array(fc.tuple(fc.constantFrom(...surveyItems.map(([name]) => name)), section), { maxLength: 30 })
    .map((answers) => new Survey(new Map(answers)));

  it('gives an inventory and never throws', () => {
    fc.assert(
      fc.property(survey, (answers) => {
        const inventory = interpret(answers, noClock);
        expect(inventorySchema.parse(inventory)).toEqual(inventory);
      }),
      { numRuns: 500 },
    );
  });

  it('reads a survey out of any output', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(mangled, fc.constantFrom('\nM begin df\n', '\nM end df 0\n'))),
        (parts) => {
          const text = readSurvey(parts.join(''), 'M').text('df');
          expect(text).not.toContain('\0');
        },
      ),
    );
  });
});
