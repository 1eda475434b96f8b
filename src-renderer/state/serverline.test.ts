import { describe, expect, it } from 'vitest';
import { makeServerSample } from '../../src-shared/model/testServerSample.ts';
import { prepare } from '../charts/prepare.ts';
import { serverPanels } from '../screens/Run/serverPanels.ts';
import { createServerline } from './serverline.ts';

const at = (seconds: number, part: Parameters<typeof makeServerSample>[0] = {}) =>
  makeServerSample({ atMs: seconds * 1000, ...part });
function line(...samples: ReturnType<typeof at>[]) {
  const server = createServerline();
  for (const sample of samples) server.append(sample);
  return server;
}
const checkpoint = {
  id: 0,
  state: 'running',
  startMs: 1500,
  endMs: null,
  reason: null,
  buffers: null,
  writeMs: null,
  syncMs: null,
} as const;

describe('the server on the time axis', () => {
  it('is columns in the units of the charts, with a gap where nothing was sampled', () => {
    const server = line(at(1), at(2), at(1), at(10, { intervalMs: 2000, database: null }));
    expect(Array.from(server.series('wal').y)).toEqual([2, 2, Number.NaN, 2]);
    // A million bytes in one second, and in two.
    expect(Array.from(server.series('walBytes').y)).toEqual([1, 1, Number.NaN, 0.5]);
    expect(Array.from(server.series('hit').y)).toEqual([99, 99, Number.NaN, Number.NaN]);
    expect(Array.from(server.series('waiting').y)).toEqual([2, 2, Number.NaN, 2]);
  });

  it('has bands of checkpoints, as they are known by now, and of autovacuum', () => {
    const server = line(at(1), at(2, { checkpoints: [checkpoint] }));
    const before = server.bands;
    expect(before).toEqual([{ kind: 'checkpoint', fromMs: 1500, toMs: 2000 }]);
    server.append(at(3));
    expect(server.bands).toBe(before);
    const done = { ...checkpoint, state: 'done', startMs: -300, endMs: 3800 } as const;
    server.append(at(4, { checkpoints: [done], autovacuum: ['VACUUM t'] }));
    server.append(at(5, { autovacuum: ['VACUUM t'] }));
    server.append(at(9, { autovacuum: ['ANALYZE t'] }));
    expect(server.bands).toEqual([
      { kind: 'checkpoint', fromMs: 0, toMs: 3800 },
      { kind: 'autovacuum', fromMs: 3000, toMs: 5000 },
      { kind: 'autovacuum', fromMs: 8000, toMs: 9000 },
    ]);
  });

  it('draws what the server tells: no queue and no temporary files where there were none', () => {
    expect(serverPanels(line())).toEqual([]);
    const ids = serverPanels(line(at(1))).map(({ id }) => id);
    expect(ids).toEqual(['server-waits', 'server-wal', 'server-hit', 'server-io']);
    const bare = at(1, { io: null, database: null, wal: null, blockedCount: 3 });
    expect(serverPanels(line(bare)).map(({ id }) => id)).toEqual(['server-waits', 'server-queue']);
  });
});

describe('areas on top of each other', () => {
  const panel = serverPanels(line(at(1), at(2)))[0];
  if (panel === undefined) throw new Error('there is a panel of waits');

  it('reach up to the sum of what is shown, the highest drawn first', () => {
    const drawing = prepare(panel, new Set(panel.series.map(({ key }) => key)), 0, 3000, 400);
    // 1.2 at work, 2 writing the log, 0.8 waiting for the client: 4 sessions
    expect(drawing.lines.map(({ key, points }) => [key, points[0]?.y])).toEqual([
      ['client', expect.closeTo(4)],
      ['internal', expect.closeTo(3.2)],
      ['files', expect.closeTo(3.2)],
      ['wal', expect.closeTo(3.2)],
      ['locks', expect.closeTo(1.2)],
      ['cpu', expect.closeTo(1.2)],
    ]);
    expect(drawing.y.domain[1]).toBeGreaterThanOrEqual(4);
  });

  it('leave out what is hidden, in the sum as well', () => {
    const { lines } = prepare(panel, new Set(['wal', 'client']), 0, 3000, 400);
    expect(lines.map(({ key, points }) => [key, points[0]?.y])).toEqual([
      ['client', expect.closeTo(2.8)],
      ['wal', expect.closeTo(2)],
    ]);
  });
});
