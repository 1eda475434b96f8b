/** Turns the server's times into the run's: by the answer that came back fastest of the last ones. */
export interface ServerClock {
  /** @param serverMs when the server answered, sent and received on the run's clock */
  answered(serverMs: number, sentMs: number, receivedMs: number): void;
  toRun(serverMs: number): number;
}

/** Answers that are remembered: clocks drift by some 50 µs a second, so that half a minute is no matter. */
const remembered = 300;
/** More than drift and what round trips leave open: somebody set the server's clock. */
const stepMs = 100;

/**
 * The rule of NTP's clock filter (RFC 5905, section 10): the answer with the shortest round trip bounds the difference of
 * the clocks best, by half of that round trip.
 */
export function createServerClock(): ServerClock {
  const answers: { offset: number; trip: number }[] = [];
  let offset = 0;
  return {
    answered(serverMs, sentMs, receivedMs) {
      const answer = { offset: serverMs - (sentMs + receivedMs) / 2, trip: receivedMs - sentMs };
      const last = answers.at(-1);
      // What both bounds exclude was answered by another clock than those before.
      if (last && Math.abs(answer.offset - last.offset) > (answer.trip + last.trip) / 2 + stepMs)
        answers.length = 0;
      answers.push(answer);
      if (answers.length > remembered) answers.shift();
      let best = answer;
      for (const other of answers) if (other.trip < best.trip) best = other;
      offset = best.offset;
    },
    toRun: (serverMs) => serverMs - offset,
  };
}
