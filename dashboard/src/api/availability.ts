import { SERVICE_URL } from '../base-path.ts';

/** Interval between probes of an unavailable service, in milliseconds. */
export const PROBE_EVERY_MS = 1_000;
/** Timeout of a probe in milliseconds. A probe that times out counts as failed. */
const PROBE_LIMIT_MS = 2_000;
/** HTTP statuses that a proxy sends if it reaches no backend, or that the service sends if it reaches no database. */
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Tracks whether the service is available. A failed API call starts periodic probes, which stop after the first
 * success.
 */
class Availability {
  private available = true;
  private probing = false;
  /**
   * Whether the service must be probed again, because the last probe failed, or a request failed or was slow after that
   * probe began.
   */
  private doubted = false;
  private readonly watchers = new Set<() => void>();

  readonly read = (): boolean => this.available;

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  readonly whenBack = (act: () => void): (() => void) => this.watch(() => this.available && act());

  /**
   * Starts periodic probes of the service, or requests another probe after the current one. Call this method after a
   * slow request, a request without a response, or a response with status 502, 503 or 504.
   */
  readonly doubt = (): void => {
    this.doubted = true;
    if (!this.probing) void this.probe();
  };

  async confirmed(): Promise<void> {
    this.doubt();
    while (this.probing) await pause(PROBE_EVERY_MS / 4);
  }

  private async probe(): Promise<void> {
    this.probing = true;
    while (this.doubted) {
      this.doubted = false;
      if (await answers()) continue;
      this.doubted = true;
      this.become(false);
      await pause(PROBE_EVERY_MS);
    }
    this.probing = false;
    this.become(true);
  }

  private become(available: boolean): void {
    if (available === this.available) return;
    this.available = available;
    for (const watcher of this.watchers) watcher();
  }
}

export const availability = new Availability();

/** Whether an HTTP status means that the service is unavailable. Status 0 stands for a request without a response. */
export function isUnavailableStatus(status: number): boolean {
  return status === 0 || UNAVAILABLE_STATUSES.has(status);
}

async function answers(): Promise<boolean> {
  try {
    const { status } = await fetch(`${SERVICE_URL}/health/ready`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_LIMIT_MS),
    });
    // Some proxies block `/health/ready` with an error status. Any status other than 502, 503 and 504 proves
    // that the service is reachable.
    return !isUnavailableStatus(status);
  } catch {
    return false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
