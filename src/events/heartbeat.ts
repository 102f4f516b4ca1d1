/** The peer of a connection that is pinged. */
export interface Peer {
  ping(): void;
  terminate(): void;
}

/** Maximum number of consecutive unanswered pings. */
const MISSES = 2;

/** Pings all peers at a fixed interval and terminates those that do not respond. */
export class Heartbeat {
  private readonly missed = new Map<Peer, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly intervalMs: number) {}

  add(peer: Peer): void {
    this.missed.set(peer, 0);
    this.timer ??= setInterval(() => this.beat(), this.intervalMs).unref();
  }

  /** Records traffic from a peer, which resets its missed pings. */
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
