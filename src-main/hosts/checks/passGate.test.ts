import { describe, expect, it } from 'vitest';
import type { MachineCheck } from '../../../src-shared/model/host.ts';
import { check } from './check.ts';
import { type GatePass, passGate } from './passGate.ts';

const line = (id: string, result: MachineCheck['result'], detail = id): MachineCheck =>
  check(id, id, { result, detail, advice: result === 'pass' ? '' : `Mend ${id}` });

/** Answers in turn, the last one for ever; time passes only in the pauses. */
function gateOf(answers: readonly MachineCheck[][], part: Partial<GatePass> = {}) {
  let asked = 0;
  let time = 0;
  const told: number[] = [];
  const pass: GatePass = {
    hostName: 'rpi-4',
    override: null,
    ask: async () => {
      asked += 1;
      return answers[Math.min(asked, answers.length) - 1] ?? [];
    },
    onAnswer: (_checks, waitedMs) => told.push(waitedMs),
    now: () => time,
    pause: async (ms) => {
      time += ms;
    },
    ...part,
  };
  return { pass, told, asked: () => asked };
}
const signal = new AbortController().signal;

describe('the gate before a run', () => {
  it('opens at once where nothing is in the way; what is worth a look, or unknown, is not', async () => {
    const checks = [line('a', 'pass'), line('b', 'warn'), line('c', 'unknown')];
    const { pass, asked } = gateOf([checks], { override: 'whatever' });
    expect(await passGate(pass, signal)).toEqual({ checks, waitedMs: 0, override: null });
    expect(asked()).toBe(1);
  });

  it('waits for what passes by itself, and says how long that took', async () => {
    const warm = [line('temperature', 'wait')];
    const { pass, told } = gateOf([warm, warm, [line('temperature', 'pass')]]);
    expect(await passGate(pass, signal)).toMatchObject({ waitedMs: 10_000, override: null });
    expect(told).toEqual([0, 5_000, 10_000]);
  });

  it('refuses at once what does not pass by itself, naming each line with what to do', async () => {
    const { pass, asked } = gateOf([
      [line('space', 'fail', '1 GiB free'), line('load', 'wait', '2.5'), line('x', 'pass')],
    ]);
    await expect(passGate(pass, signal)).rejects.toMatchObject({
      code: 'host-not-ready',
      message: 'rpi-4 is not ready for a run',
      detail: 'space: 1 GiB free. Mend space\nload: 2.5. Mend load',
    });
    expect(asked()).toBe(1);
  });

  it('gives up waiting after ten minutes', async () => {
    const { pass, told } = gateOf([[line('load', 'wait')]]);
    await expect(passGate(pass, signal)).rejects.toMatchObject({
      code: 'host-not-ready',
      message: 'rpi-4 is not ready for a run after 10 minutes',
    });
    expect(told.at(-1)).toBe(600_000);
  });

  it('does not wait where the user has said why it may begin, and keeps what was in the way', async () => {
    const checks = [line('load', 'wait'), line('space', 'fail')];
    const { pass, asked } = gateOf([checks], { override: 'only a try' });
    expect(await passGate(pass, signal)).toEqual({ checks, waitedMs: 0, override: 'only a try' });
    expect(asked()).toBe(1);
  });

  it('can be cancelled while it waits', async () => {
    const controller = new AbortController();
    const { pass } = gateOf([[line('load', 'wait')]], { pause: async () => controller.abort() });
    await expect(passGate(pass, controller.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
