/** A line of the sampler as a Raspberry Pi 4 with vcgencmd gives it, made of what the parts print; a part overrides. */
export interface LineParts {
  uptime: string;
  loadavg: string;
  cpu: string;
  memory: string;
  swapped: string;
  disk: string;
  network: string;
  temperature: string;
  khz: string;
  alarm: string;
  throttled: string;
  clock: string;
  free: string;
  pressure: string;
}

const partsOfPi4: LineParts = {
  uptime: '1000.25 3900.10',
  loadavg: '0.52 0.41 0.30 1/210 4711',
  cpu: 'cpu  1000 50 400 90000 300 10 40 0 0 0',
  memory: '3885300,3100000,102396,102396',
  swapped: '0,0',
  disk: '   21470    16922  2596324   100287    10449    21286   531225    80768        0    39160   182660        0        0        0        0     7375     1604',
  network: '1000000,2000000',
  temperature: '44303',
  khz: '1500000',
  alarm: '0',
  throttled: 'throttled=0x0',
  clock: '-',
  free: '20000000',
  pressure: '-;-;-',
};

export const headerLine = 'H1|7a0a3c2e-1111-4222-8333-444455556666|4096|mmcblk0|eth0';

export function sampleLine(parts: Partial<LineParts> = {}): string {
  return ['S1', ...Object.values({ ...partsOfPi4, ...parts })].join('|');
}
