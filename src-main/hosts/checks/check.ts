import type { MachineCheck } from '../../../src-shared/model/host.ts';

/** A check's words and figure; what is left out is empty. */
export type Finding = Pick<MachineCheck, 'result' | 'detail'> & Partial<Omit<MachineCheck, 'id' | 'title'>>;

export function check(id: string, title: string, finding: Finding): MachineCheck {
  return { id, title, advice: '', value: null, unit: null, raw: '', ...finding };
}

/** Something that could not be measured, and why. */
export function unknown(why: string, raw = ''): Finding {
  return { result: 'unknown', detail: why, raw: raw.trim().slice(0, 2000) };
}

/** Two significant digits, without an exponent. */
export function figure(value: number): string {
  const rounded = Number(value.toPrecision(2));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 6 });
}
