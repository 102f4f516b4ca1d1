import { SERVICE_URL } from '../base-path.ts';

/** Interval between probes of an unavailable service. The page detects its return within two seconds. */
export const PROBE_EVERY_MS = 1_000;
/** Timeout of a probe. A probe that times out marks the service as unavailable. */
const PROBE_LIMIT_MS = 2_000;
/** Statuses that a proxy sends if its upstream is down, or that the service sends if its database is unavailable. */
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Tracks whether the service is available. It sends no probes while calls succeed. A failed call or socket triggers a
 * probe. Only a failed probe marks the service as unavailable. Further probes follow until one succeeds.
 */
class Availability {
  private available = true;
  private probing = false;
  private readonly watchers = new Set<() => void>();

  readonly read = (): boolean => this.available;

  /** Calls `watcher` at each change of availability. @returns ends the subscription */
  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Calls `act` each time the service becomes available again. @returns ends the subscription */
  readonly whenBack = (act: () => void): (() => void) => this.watch(() => this.available && act());

  /** Starts a probe, after a call that got no response or a 502, 503 or 504. */
  readonly doubt = (): void => {
    if (!this.probing) void this.probe();
  };

  /** Probes the service and resolves when a probe succeeds. */
  async confirmed(): Promise<void> {
    this.doubt();
    while (this.probing) await pause(PROBE_EVERY_MS / 4);
  }

  private async probe(): Promise<void> {
    this.probing = true;
    while (!(await answers())) {
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

/** Whether a status means that the service is unavailable; 0 means no response. */
export function isUnavailableStatus(status: number): boolean {
  return status === 0 || UNAVAILABLE_STATUSES.has(status);
}

async function answers(): Promise<boolean> {
  try {
    const { status } = await fetch(`${SERVICE_URL}/health/ready`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_LIMIT_MS),
    });
    // A proxy may block this path; any other status still proves that the service is reachable.
    return !isUnavailableStatus(status);
  } catch {
    return false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
