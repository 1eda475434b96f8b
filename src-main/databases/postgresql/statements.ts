import pg from 'pg';
import { AppError } from '../../../src-shared/errors.ts';

export const quoteName = (name: string): string => pg.escapeIdentifier(checkedName(name));
export const quoteText = (text: string): string => pg.escapeLiteral(text);

/** PostgreSQL cuts names at 63 bytes without an error, and two names could become one. */
function checkedName(name: string): string {
  const bytes = Buffer.byteLength(name, 'utf8');
  if (bytes >= 1 && bytes <= 63 && !name.includes('\0')) return name;
  throw new AppError({
    code: 'bad-input',
    message: `PostgreSQL names have 1 to 63 bytes: ${JSON.stringify(name.slice(0, 80))} has ${bytes}`,
    hint: 'Choose a shorter name.',
  });
}

// Messages of the frontend/backend protocol 3.0: a letter, a length that counts itself, a body.

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.allocUnsafe(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
const text = (value: string) => Buffer.from(`${value}\0`, 'utf8');

export const queryMessage = (sql: string): Buffer => message('Q', text(sql));
export const copyDone: Buffer = message('c', Buffer.alloc(0));
export const copyFail = (reason: string): Buffer => message('f', text(reason));
export const syncMessage: Buffer = message('S', Buffer.alloc(0));
/** Describes the portal that the unnamed Bind made. */
export const describeMessage: Buffer = message('D', Buffer.from('P\0', 'latin1'));
/** Runs the portal that the unnamed Bind made, to its end. */
export const executeMessage: Buffer = message('E', Buffer.from([0, 0, 0, 0, 0]));

export function parseMessage(name: string, sql: string, types: readonly number[]): Buffer {
  const oids = Buffer.alloc(2 + types.length * 4);
  oids.writeUInt16BE(types.length, 0);
  types.forEach((oid, i) => {
    oids.writeUInt32BE(oid, 2 + i * 4);
  });
  return message('P', Buffer.concat([text(name), text(sql), oids]));
}

/** Head and tail of a Bind whose parameters, all binary, lie between them. */
export function bindMessage(name: string, parameters: number, parameterBytes: number): [Buffer, Buffer] {
  const names = Buffer.concat([text(''), text(name)]);
  const head = Buffer.alloc(5 + names.length + 6);
  const tail = Buffer.alloc(2);
  head.write('B', 0, 'latin1');
  head.writeInt32BE(4 + names.length + 6 + parameterBytes + tail.length, 1);
  names.copy(head, 5);
  head.writeUInt16BE(1, 5 + names.length);
  head.writeUInt16BE(1, 7 + names.length);
  head.writeUInt16BE(parameters, 9 + names.length);
  return [head, tail];
}

const frameBytes = 65_536;

/** CopyData messages over `bytes`; small enough that the server starts on the first while the rest is on its way. */
export function copyData(bytes: Uint8Array): Uint8Array[] {
  const messages: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += frameBytes) {
    const part = bytes.subarray(at, at + frameBytes);
    const head = Buffer.allocUnsafe(5);
    head[0] = 0x64; // d
    head.writeInt32BE(part.length + 4, 1);
    messages.push(head, part);
  }
  return messages;
}
