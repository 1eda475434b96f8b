import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machineCheckSchema } from '../../../src-shared/model/host.ts';
import { recorded } from '../inventory/recorded.ts';
import { type Section, Survey } from '../inventory/survey.ts';
import { surveyItems } from '../inventory/surveyItems.ts';
import { fact } from '../inventory/text.ts';
import { clockCheck, clockItems } from './clock.ts';
import { diskChecks, parseDd, parseTestFsync, parseTimes } from './disk.ts';
import * as gateChecks from './gateChecks.ts';
import { hasGigabit, linkCheck, roundTripCheck } from './network.ts';

const said = (answers: Record<string, string>) =>
  new Survey(new Map(Object.entries(answers).map(([name, text]) => [name, { text, code: 0 }])));

const card = {
  place: '',
  room: '',
  mount: '/dev/mmcblk0p2 ext4 /',
  disks: 'mmcblk0|62333952|SD|/sys/devices/platform/soc/mmc_host/mmc0/block/mmcblk0',
};
const nvme = { ...card, mount: '/dev/nvme0n1p1 ext4 /data', disks: 'nvme0n1|250069680||/sys/x/nvme0n1' };
const times = (us: number) => `count=200 mean=${us} median=${us} p95=${us * 2} max=${us * 9}`;
const dd = (bytes: number, seconds: number) =>
  `1+0 records in\n${bytes} bytes (x) copied, ${seconds} s, y MB/s`;

describe('what the probes print', () => {
  it('reads dd, also one that was stopped', () => {
    expect(parseDd('134217728 bytes (134 MB, 128 MiB) copied, 0.177577 s, 756 MB/s')).toBeCloseTo(755.83, 1);
    expect(parseDd(dd(8_388_608, 8.388608))).toBeCloseTo(1, 6);
    expect(parseDd("dd: failed to open 'x': Invalid argument")).toBeNull();
    expect(parseDd(dd(0, 0))).toBeNull();
  });

  it('reads pg_test_fsync', () => {
    const table = [
      'O_DIRECT supported on this platform for open_datasync and open_sync.',
      "(in wal_sync_method preference order, except fdatasync is Linux's default)",
      '        open_datasync                      1600.637 ops/sec     625 usecs/op',
      '        fdatasync                          1436.667 ops/sec     696 usecs/op',
    ];
    expect(parseTestFsync(table.join('\n'))).toBe(696);
    expect(parseTestFsync(table.slice(0, 3).join('\n'))).toBeNull();
    expect(parseTimes('count=3 mean=4 median=2.5 p95=9.0 max=10')).toEqual({
      ...{ count: 3, mean: 4, median: 2.5, p95: 9, max: 10 },
    });
    expect(parseTimes('the file is empty')).toBeNull();
  });
});

describe('the disk', () => {
  const of = (answers: Record<string, string>, id: string) =>
    diskChecks(said(answers)).find((check) => check.id === id);

  it('says what a slow card means', () => {
    expect(of({ ...card, fsync: times(12_000) }, 'fsync')).toMatchObject({
      result: 'warn',
      value: 12,
      unit: 'ms',
      detail:
        'This card takes 12.0 ms for an fsync: commits will be slow, one client has 83 a second at most (measured with O_DSYNC writes of 8 kB; the slowest of 200 took 108 ms)',
    });
  });

  it('trusts pg_test_fsync first, and no disk that is too quick', () => {
    const postgres = 'fdatasync   1436.667 ops/sec     696 usecs/op';
    expect(of({ ...nvme, fsync: times(5000), 'pg-test-fsync': postgres }, 'fsync')).toMatchObject({
      result: 'pass',
      value: 0.696,
    });
    expect(of({ ...nvme, fsync: times(4) }, 'fsync')).toMatchObject({ result: 'warn', value: 0.004 });
    expect(of({ ...nvme, fsync: times(2001) }, 'fsync')).toMatchObject({ result: 'warn' });
    expect(of(nvme, 'fsync')).toMatchObject({ result: 'unknown', value: null });
  });

  it('holds each kind of disk to its own limit', () => {
    const speed = (write: number, read: number) => ({ write: dd(write * 1e6, 1), read: dd(read * 1e6, 1) });
    expect(of({ ...card, ...speed(18, 43) }, 'disk-sequential')).toMatchObject({ result: 'pass', value: 18 });
    expect(of({ ...card, ...speed(9, 43) }, 'disk-sequential')).toMatchObject({ result: 'warn' });
    expect(of({ ...nvme, ...speed(18, 43) }, 'disk-sequential')).toMatchObject({ result: 'warn' });
    const usb = { ...nvme, mount: '/dev/sda1 ext4 /data', disks: 'sda|1||/sys/x/usb1/1-1/block/sda' };
    expect(of({ ...usb, ...speed(38, 40) }, 'disk-sequential')?.advice).toContain('USB 2');
    // A write through memory that was cut short says nothing.
    const cached = new Survey(
      new Map<string, Section>([
        ...Object.entries(card).map(([name, text]): [string, Section] => [name, { text, code: 0 }]),
        ['write-cached', { text: dd(1e9, 1), code: 124 }],
        ['read', { text: dd(1e9, 1), code: 0 }],
      ]),
    );
    expect(diskChecks(cached)[1]).toMatchObject({ result: 'unknown' });
  });

  it('measures random operations against class A1', () => {
    const answers = { ...card, 'random-write': times(2500), 'random-read': times(600) };
    expect(of(answers, 'disk-random-write')).toMatchObject({ result: 'warn', value: 400 });
    expect(of(answers, 'disk-random-read')).toMatchObject({ result: 'pass' });
    expect(of(answers, 'disk-random-read')?.detail).toContain('1,667 pages');
  });

  it('says why nothing was measured', () => {
    const details = (answers: Record<string, string>) =>
      diskChecks(said(answers)).map(({ detail }) => detail);
    expect(new Set(details({}))).toEqual(new Set(['This user may write nowhere on this disk']));
    expect(new Set(details({ place: '' }))).toEqual(new Set(['Too little free space to measure']));
  });
});

describe('network and clock', () => {
  const pi4 = { model: 'Raspberry Pi 4 Model B Rev 1.4', route: '10.0.0.2 dev eth0 src 10.0.0.3' };
  const wired = (answers: Record<string, string>) =>
    new Survey(new Map(Object.entries(answers).map(([name, text]) => [name, { text, code: 0 }])));

  it('fails a Gigabit board on a bad cable only', () => {
    expect(linkCheck(wired({ ...pi4, speed: '100' }))).toMatchObject({ result: 'fail', value: 100 });
    expect(linkCheck(wired({ ...pi4, speed: '1000' }))).toMatchObject({ result: 'pass' });
    expect(linkCheck(wired({ ...pi4, model: 'Raspberry Pi 3 Model B Rev 1.2', speed: '100' })).result).toBe(
      'pass',
    );
    expect(linkCheck(wired({ ...pi4, speed: '-1' })).result).toBe('unknown');
    expect(linkCheck(wired({})).result).toBe('unknown');
    const wifi = {
      ...pi4,
      wireless: '/sys/class/net/wlan0/wireless',
      wifi: 'Power save: on\ntx bitrate: 58.5 MBit/s',
    };
    expect(linkCheck(wired(wifi))).toMatchObject({ result: 'warn', value: 58.5 });
    expect(linkCheck(wired(wifi)).advice).toContain('power_save off');
  });

  it.each([
    ['Raspberry Pi 3 Model B Rev 1.2', false],
    ['Raspberry Pi 3 Model B Plus Rev 1.3', true],
    ['Raspberry Pi 3 Model B+', true],
    ['Raspberry Pi 5 Model B Rev 1.0', true],
    ['Raspberry Pi Compute Module 4 Rev 1.0', true],
    ['Raspberry Pi Zero 2 W Rev 1.0', false],
    ['Some other board', null],
  ])('knows the port of a %s', (model, expected) => {
    expect(hasGigabit(said({ model }))).toBe(expected);
  });

  it('reads round trips', () => {
    const ping = (ms: number) => `64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=${ms.toFixed(3)} ms`;
    expect(roundTripCheck(said({ ping: ping(0.4) }))).toMatchObject({ result: 'pass', value: 0.4 });
    expect(roundTripCheck(said({ ping: ping(6.5) }))).toMatchObject({ result: 'warn', value: 6.5 });
    const many = Array.from({ length: 20 }, (_, i) => ping(i === 7 ? 90 : 0.3 + i / 100)).join('\n');
    expect(roundTripCheck(said({ ping: many })).detail).toBe(
      'A question and its answer take 400 µs on the way (median of 20 pings, 95 % within 490 µs)',
    );
    expect(roundTripCheck(said({ tcp: 'minrtt:0.044' }))).toMatchObject({ result: 'pass', value: 0.044 });
    expect(roundTripCheck(said({}))).toMatchObject({ result: 'unknown' });
  });

  it('compares the clock under load with what the board is set to', () => {
    const commands =
      clockItems(2)[0]?.[1]
        .split('\n')
        .filter((line) => line.startsWith('echo')) ?? [];
    const clock = (...answers: string[]) =>
      clockCheck(said({ 'clock-load': commands.map((c, i) => `= ${c}\n${answers[i] ?? ''}`).join('\n') }));
    expect(clock('1800000', '1800000', 'frequency(48)=1800404352', 'throttled=0x0')).toMatchObject({
      ...{ result: 'pass', value: 1800, unit: 'MHz' },
    });
    expect(clock('1500000', '1500000', 'frequency(48)=600117184', 'throttled=0x50005')).toMatchObject({
      ...{ result: 'fail', value: 600, advice: 'The voltage is too low: use a better power supply.' },
    });
    expect(clock('1500000', '1000000', 'sh: vcgencmd: not found', '')).toMatchObject({
      result: 'fail',
      value: 1000,
    });
    expect(clock('', '')).toMatchObject({ result: 'unknown' });
  });
});

describe('the gate', () => {
  const { throttleCheck, temperatureCheck, clockSetCheck, aptCheck, swapCheck, loadCheck, spaceCheck } =
    gateChecks;

  it('tells throttling now from throttling before', () => {
    const bits = (text: string) => throttleCheck(said({ 'vcgencmd-throttled': text }));
    expect(bits('throttled=0x0')).toMatchObject({ result: 'pass' });
    expect(bits('throttled=0x50000')).toMatchObject({
      ...{ result: 'warn', detail: 'Not now, but since the last boot: under-voltage, throttled' },
    });
    expect(bits('throttled=0x50005')).toMatchObject({
      ...{ result: 'fail', detail: 'Right now: under-voltage, throttled' },
    });
    expect(bits(recorded('misc/vcgencmd-no-vcio-device.txt'))).toMatchObject({ result: 'unknown' });
    expect(throttleCheck(said({ 'under-voltage': '1' })).result).toBe('fail');
    expect(throttleCheck(said({ 'under-voltage': '0' })).result).toBe('pass');
  });

  it('waits for what passes by itself', () => {
    expect(temperatureCheck(said({ 'vcgencmd-temp': "temp=64.9'C" })).result).toBe('pass');
    expect(temperatureCheck(said({ 'vcgencmd-temp': "temp=65.0'C" })).result).toBe('wait');
    expect(temperatureCheck(said({ thermal: 'cpu-thermal 71234' }))).toMatchObject({
      result: 'wait',
      value: 71.234,
    });
    expect(aptCheck(said({ 'apt-processes': 'dpkg dpkg --configure -a' })).result).toBe('wait');
    expect(aptCheck(said({ 'apt-processes': 'bash bash' })).result).toBe('pass');
    const swap = (before: number, after: number) =>
      swapCheck(
        said({ 'swap-before': `pswpin 1\npswpout ${before}`, 'swap-after': `pswpin 1\npswpout ${after}` }),
      );
    expect(swap(5, 5).result).toBe('pass');
    expect(swap(5, 9)).toMatchObject({ result: 'wait', value: 4 });
    expect(loadCheck(said({ loadavg: '0.29 1.00 1.00 1/99 7' })).result).toBe('pass');
    expect(loadCheck(said({ loadavg: '0.30 0.00 0.00 1/99 7' })).result).toBe('wait');
  });

  it('fails a clock that is far off, and warns of one that nobody sets', () => {
    const clock = (seconds: number | null, word: string) =>
      clockSetCheck(said({ 'clock-synchronized': `NTPSynchronized=${word}` }), fact(seconds, ''));
    expect(clock(0.2, 'yes').result).toBe('pass');
    expect(clock(0.2, 'no').result).toBe('warn');
    expect(clock(-31_536_000, 'yes')).toMatchObject({ result: 'fail', value: -31_536_000 });
    expect(clock(-31_536_000, 'yes').detail).toContain('behind');
    expect(clock(null, 'perhaps').result).toBe('unknown');
  });

  it('wants room for what the run writes, and a gigabyte in any case', () => {
    const df = (free: number) =>
      said({
        space: `Filesystem 1-blocks Used Available Capacity Mounted on\n/dev/sda1 9 1 ${free} 1% /my data`,
      });
    expect(spaceCheck(df(2 ** 30), 0)).toMatchObject({ result: 'pass', value: 2 ** 30 });
    expect(spaceCheck(df(2 ** 30 - 1), 0).result).toBe('fail');
    expect(spaceCheck(df(5 * 2 ** 30), 6 * 2 ** 30)).toMatchObject({ result: 'fail' });
    expect(spaceCheck(said({}), 0).result).toBe('unknown');
  });
});

describe('any answers at all', () => {
  it('make checks and never throw', () => {
    const names = [
      ...surveyItems.map(([name]) => name),
      ...[
        'place',
        'room',
        'space',
        'mount',
        'disks',
        'write',
        'read',
        'pg-test-fsync',
        'fsync',
        'random-read',
      ],
      ...['swap-before', 'swap-after', 'loadavg', 'governor', 'under-voltage', 'clock-load'],
    ];
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        times(3),
        times(0),
        dd(1, 1e-30),
        '9'.repeat(500),
        'throttled=0xfffff',
        '= cat\n1500000\n= x',
      ),
    );
    const answers = fc.array(
      fc.tuple(fc.constantFrom(...names), fc.record({ text, code: fc.constantFrom(0, 1) })),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(answers, (sections) => {
        const survey = new Survey(new Map<string, Section>(sections));
        const { clockSetCheck, spaceCheck, ...others } = gateChecks;
        const checks = [
          ...diskChecks(survey),
          linkCheck(survey),
          roundTripCheck(survey),
          clockCheck(survey),
          clockSetCheck(survey, fact<number>(null, '')),
          spaceCheck(survey, 0),
          ...Object.values(others).map((make) => make(survey)),
        ];
        for (const check of checks) expect(machineCheckSchema.parse(check)).toEqual(check);
      }),
      { numRuns: 500 },
    );
  });
});
