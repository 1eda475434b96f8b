import { z } from 'zod';
import { errorDataSchema } from '../model/run.ts';

/** The few messages under the contract: a call, its cancellation, an event. */
export interface ServerFunctions {
  call(id: number, name: string, input: unknown): Promise<unknown>;
  cancel(id: number): void;
}
export interface ClientFunctions {
  event(name: string, data: unknown): void;
}

/** All that a client may send, as birpc frames it: a function's name, its arguments and the id of the answer. */
export const requestSchema = z.discriminatedUnion('m', [
  z.object({
    t: z.literal('q'),
    m: z.literal('call'),
    a: z.tuple([z.int(), z.string().max(100), z.unknown()]),
    i: z.string().max(100),
  }),
  z.object({ t: z.literal('q'), m: z.literal('cancel'), a: z.tuple([z.int()]), i: z.string().max(100) }),
]);

/** All that the core may send: the answer to a call, or an event. */
export const fromCoreSchema = z.discriminatedUnion('t', [
  z.object({ t: z.literal('s'), i: z.string(), r: z.unknown().optional(), e: z.unknown().optional() }),
  z.object({ t: z.literal('q'), m: z.literal('event'), a: z.tuple([z.string(), z.unknown()]) }),
]);

export const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: errorDataSchema }),
]);
export type Reply = z.infer<typeof replySchema>;
