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

export const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: errorDataSchema }),
]);
export type Reply = z.infer<typeof replySchema>;
