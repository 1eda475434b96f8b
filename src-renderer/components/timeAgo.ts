/** How long ago, in the words of a list: `just now`, `3 min ago`, `5 h ago`, `2 days ago`, then the date. */
export function timeAgo(then: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - then.getTime()) / 1000);
  if (seconds < 60) return 'just now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  if (days < 30) return days === 1 ? '1 day ago' : `${days} days ago`;
  return then.toLocaleDateString('en-CA');
}

/** Date and time to the second, in the reader's own time zone: `2026-11-30 13:27:04`. */
export function exactTime(at: Date): string {
  return `${at.toLocaleDateString('en-CA')} ${at.toLocaleTimeString('en-GB')}`;
}
