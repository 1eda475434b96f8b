import { isIP } from 'node:net';
import { z } from 'zod';

// Anybody on the network may send anything. No control characters, nothing invisible, nothing that turns writing around.
const name = z
  .string()
  .max(255)
  .regex(/^[^\p{C}]+$/u);
const address = z.string().refine(usable);
const recordSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('PTR'), name, data: name }),
  z.object({
    type: z.literal('SRV'),
    name,
    data: z.object({ target: name, port: z.int().min(1).max(65_535) }),
  }),
  z.object({ type: z.literal('A'), name, data: address }),
  z.object({ type: z.literal('AAAA'), name, data: address }),
]);
export type DnsRecord = z.infer<typeof recordSchema>;

const mostRecords = 200;

/** The records of a packet that say something about a host here; whatever else is in it, or wrong with it, is left out. */
export function recordsOf(packet: unknown): DnsRecord[] {
  const parts = z.object({ answers: z.unknown(), additionals: z.unknown() }).partial().safeParse(packet).data;
  return [parts?.answers, parts?.additionals]
    .flatMap((list) => (Array.isArray(list) ? list.slice(0, mostRecords) : []))
    .flatMap((record) => recordSchema.safeParse(record).data ?? []);
}

/** An address that somebody could sign in to from here. */
function usable(text: string): boolean {
  if (isIP(text) === 4) return !/^(0|127|22[4-9]|2[3-5]\d)\./.test(text);
  // An address of the link alone would need the name of the network card beside it.
  return isIP(text) === 6 && !/^(fe[89ab]|ff|::1?$|::ffff:)/i.test(text);
}
