/** Cuts text that comes in pieces into lines; the last may lack its newline. */
export function lines(onLine: (line: string) => void): { add(text: string): void; end(): void } {
  let rest = '';
  return {
    add(text) {
      const parts = text.split('\n');
      parts[0] = rest + (parts[0] ?? '');
      rest = parts.pop() ?? '';
      for (const line of parts) onLine(line);
    },
    end() {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}
