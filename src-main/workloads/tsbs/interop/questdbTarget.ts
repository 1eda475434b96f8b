/**
 * URL of the QuestDB that TSBS's two addresses name; null where neither can be read.
 * @param url of its HTTP side: `http://localhost:9000/`
 * @param ilp where it takes rows over TCP: `127.0.0.1:9009`
 */
export function questdbTarget(url: string | null, ilp: string | null, user?: string): string | null {
  const http = url !== null && URL.canParse(url) ? new URL(url) : null;
  const tcp = ilp !== null && URL.canParse(`tcp://${ilp}`) ? new URL(`tcp://${ilp}`) : null;
  const host = http?.hostname || tcp?.hostname;
  if (!host) return null;
  const name = user === undefined ? '' : `${encodeURIComponent(user)}@`;
  const more = tcp && tcp.port !== '' && tcp.port !== '9009' ? `?ilpPort=${tcp.port}` : '';
  return `questdb://${name}${host}:${http?.port || '9000'}${more}`;
}
