/** The other end of a connection that is pinged. */
export interface Peer {
  ping(): void;
  terminate(): void;
}

/** Pings that may go unanswered. */
const MISSES = 2;

/** Pings every peer at one interval and drops those that are dead. */
export class Heartbeat {
  private readonly missed = new Map<Peer, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly intervalMs: number) {}

  add(peer: Peer): void {
    this.missed.set(peer, 0);
    this.timer ??= setInterval(() => this.beat(), this.intervalMs).unref();
  }

  /** Notes a sign of life. */
  heard(peer: Peer): void {
    if (this.missed.has(peer)) this.missed.set(peer, 0);
  }

  remove(peer: Peer): void {
    this.missed.delete(peer);
    if (this.missed.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private beat(): void {
    for (const [peer, missed] of this.missed) {
      if (missed >= MISSES) peer.terminate();
      else {
        this.missed.set(peer, missed + 1);
        peer.ping();
      }
    }
  }
}
