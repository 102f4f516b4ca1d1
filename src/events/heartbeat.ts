/** A client connection that `Heartbeat` pings. */
export interface Peer {
  ping(): void;
  terminate(): void;
}

/** Maximum number of consecutive unanswered pings. */
const MISSES = 2;

/** Pings all connections at an interval and terminates each connection that misses two consecutive pings. */
export class Heartbeat {
  private readonly missed = new Map<Peer, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly intervalMs: number) {}

  add(peer: Peer): void {
    this.missed.set(peer, 0);
    this.timer ??= setInterval(() => this.beat(), this.intervalMs).unref();
  }

  /** Resets the number of unanswered pings, because the client sent data. */
  resetMisses(peer: Peer): void {
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
