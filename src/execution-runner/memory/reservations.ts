/** A reservation that waits for others to be freed. */
interface Waiting {
  readonly bytes: number;
  readonly resolve: () => void;
}

/** Reservations of bytes up to a limit, in the order in which they were asked for. A single one always fits. */
export class Reservations {
  private taken = 0;
  private readonly waiting: Waiting[] = [];

  /** @param room bytes that all of them may take, as it is now */
  constructor(private readonly room: () => number) {}

  get bytes(): number {
    return this.taken;
  }

  /**
   * Waits until it fits.
   * @param signal gives it up; the promise then rejects with the reason
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

  /** Takes more for the owner of a reservation: it must not wait for others while they wait for it. */
  extend(bytes: number): void {
    this.taken += bytes;
  }

  free(bytes: number): void {
    this.taken -= bytes;
    this.grant();
  }

  /** Lets in those that wait and fit by now; to be called when there is more room. */
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
