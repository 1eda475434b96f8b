/** Everything that the app asked of the stand-in, in order, for the tests to look at. */
export interface Call {
  name: string;
  args: unknown[];
}

const calls: Call[] = [];

export function record(name: string, ...args: unknown[]): void {
  calls.push({ name, args: plain(args) });
}

export function recorded(): Call[] {
  return calls;
}

/** Only what JSON can carry: the calls are read in another process. */
function plain(args: unknown[]): unknown[] {
  const text = JSON.stringify(args, (_, value: unknown) =>
    typeof value === 'function' ? '[function]' : value,
  );
  return JSON.parse(text) as unknown[];
}

/** An event that a listener can prevent. */
export function preventable<T extends object>(
  details: T,
): T & { defaultPrevented: boolean; preventDefault(): void } {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault(): void {
      event.defaultPrevented = true;
    },
  };
  return event;
}
