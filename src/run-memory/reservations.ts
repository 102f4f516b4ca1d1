interface Waiting {
  readonly bytes: number;
  readonly resolve: () => void;
}

/**
 * Reserves bytes up to a limit, in the order of the requests. A reservation larger than the limit is granted when there
 * are no other reservations.
 */
export class Reservations {
  private taken = 0;
  private readonly waiting: Waiting[] = [];

  /** @param room returns the current limit in bytes for all reservations together */
  constructor(private readonly room: () => number) {}

  get bytes(): number {
    return this.taken;
  }

  /**
   * Waits until the reservation fits into the limit.
   *
   * @param signal cancels the request; the promise then rejects with the reason of the signal
   */
  async take(bytes: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.waiting.length === 0 && this.fits(bytes)) {
      this.taken += bytes;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(signal?.reason as Error);
        this.grant();
      };
      const waiting = {
        bytes,
        resolve: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.waiting.push(waiting);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /**
   * Enlarges a granted reservation immediately, even beyond the limit. If an enlargement had to wait for
   * other reservations, two enlargements could deadlock.
   */
  extend(bytes: number): void {
    this.taken += bytes;
  }

  free(bytes: number): void {
    this.taken -= bytes;
    this.grant();
  }

  /** Grants waiting reservations that now fit into the limit. Must be called after the limit has grown. */
  grant(): void {
    for (
      let first = this.waiting[0];
      first !== undefined && this.fits(first.bytes);
      first = this.waiting[0]
    ) {
      this.waiting.shift();
      this.taken += first.bytes;
      first.resolve();
    }
  }

  private fits(bytes: number): boolean {
    return this.taken === 0 || this.taken + bytes <= this.room();
  }
}
