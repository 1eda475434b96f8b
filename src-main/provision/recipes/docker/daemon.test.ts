import { describe, expect, it } from 'vitest';
import { mergeDaemon } from './daemonStep.ts';

const logs = { 'log-driver': 'local', 'log-opts': { 'max-size': '10m', 'max-file': '3' } };

describe('Docker’s configuration', () => {
  it('is made where there is none', () => {
    expect(JSON.parse(mergeDaemon(null, '') ?? '')).toEqual(logs);
    expect(JSON.parse(mergeDaemon(' \n', '/mnt/ssd/docker') ?? '')).toEqual({
      ...logs,
      'data-root': '/mnt/ssd/docker',
      features: { 'containerd-snapshotter': false },
    });
  });

  it('keeps every other key, in its place', () => {
    const merged = mergeDaemon('{"dns":["1.1.1.1"],"log-driver":"json-file","x":{"y":null}}', '') ?? '';
    expect(JSON.parse(merged)).toEqual({ dns: ['1.1.1.1'], x: { y: null }, ...logs });
    expect(Object.keys(JSON.parse(merged))).toEqual(['dns', 'log-driver', 'x', 'log-opts']);
  });

  it('keeps what was said about its features', () => {
    const own = '{"features":{"containerd-snapshotter":true,"buildkit":true}}';
    expect(JSON.parse(mergeDaemon(own, '/d') ?? '')).toMatchObject({
      features: { 'containerd-snapshotter': true, buildkit: true },
    });
    expect(JSON.parse(mergeDaemon('{"features":{"buildkit":true}}', '/d') ?? '')).toMatchObject({
      features: { 'containerd-snapshotter': false, buildkit: true },
    });
    expect(JSON.parse(mergeDaemon(own, '') ?? '').features['containerd-snapshotter']).toBe(true);
  });

  it('leaves a log alone that somebody has set up', () => {
    expect(mergeDaemon('{"log-driver":"journald"}', '')).toBeNull();
    expect(mergeDaemon('{"log-opts":{"max-size":"5m"}}', '')).toBeNull();
  });

  it('is not written again', () => {
    expect(mergeDaemon(mergeDaemon(null, '/d'), '/d')).toBeNull();
    expect(mergeDaemon(mergeDaemon(null, '/d'), '/e')).not.toBeNull();
  });

  it('is left alone where it is broken', () => {
    for (const broken of ['{', '[]', '"x"'])
      expect(() => mergeDaemon(broken, '')).toThrow(expect.objectContaining({ code: 'unsupported' }));
  });
});
