/** What is compared: one script of one tool with so many clients. */
export interface Case {
  name: string;
  tool: 'pgbench' | 'sysbench';
  clients: number;
  /** How far TPS may be from the tool's, in percent. */
  limitPercent: number;
  /** Parameters of Benchberry's step beyond the common ones. */
  step: Record<string, unknown>;
  /** Flags of the tool beyond the common ones. */
  flags: readonly string[];
  /** Open loop at this share of what the closed loop of the same case (by name) came to. */
  rate?: { of: string; share: number };
}

const selectOnly = (protocol: 'simple' | 'prepared') =>
  [1, 10, 32].map(
    (clients): Case => ({
      name: `pgbench select-only, ${protocol}, ${clients}`,
      tool: 'pgbench',
      clients,
      limitPercent: 5,
      step: { scripts: [{ builtin: 'select-only' }], protocol },
      flags: ['-S', '-M', protocol],
    }),
  );

const oltp = (script: string) =>
  [1, 8, 64].map(
    (clients): Case => ({
      name: `sysbench ${script}, ${clients}`,
      tool: 'sysbench',
      clients,
      limitPercent: 5,
      step: { script: `oltp_${script}` },
      flags: [`oltp_${script}`],
    }),
  );

const tpcbLike: Case = {
  name: 'pgbench tpcb-like, 10',
  tool: 'pgbench',
  clients: 10,
  limitPercent: 3,
  step: {},
  flags: [],
};

export const cases: readonly Case[] = [
  tpcbLike,
  {
    ...tpcbLike,
    name: 'pgbench simple-update, 10',
    step: { scripts: [{ builtin: 'simple-update' }] },
    flags: ['-N'],
  },
  ...selectOnly('prepared'),
  ...selectOnly('simple'),
  ...oltp('point_select'),
  ...oltp('read_only'),
  ...oltp('read_write'),
];

/** With a schedule: what can be kept, and what cannot. */
export const pacedCases: readonly Case[] = [
  {
    ...tpcbLike,
    name: 'pgbench select-only -R, half of what it can',
    limitPercent: 1,
    step: { scripts: [{ builtin: 'select-only' }], protocol: 'prepared' },
    flags: ['-S', '-M', 'prepared'],
    rate: { of: 'pgbench select-only, prepared, 10', share: 0.5 },
  },
  {
    ...tpcbLike,
    name: 'pgbench tpcb-like -R, half more than it can',
    limitPercent: 3,
    rate: { of: tpcbLike.name, share: 1.5 },
  },
];
