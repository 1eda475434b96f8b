/**
 * What both ends of the contract need of a transport. Messages are JSON text: a MessagePort, a WebSocket and a direct
 * call then carry exactly the same data.
 */
export interface Channel {
  send(text: string): void;
  /** One listener; the second argument is called once when the other side is gone. */
  listen(onMessage: (text: string) => void, onClose: () => void): void;
  close(): void;
}
