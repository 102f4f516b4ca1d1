import { SERVICE_URL } from '../base-path.ts';

/** Between two probes of a service that is unavailable: it is back on the page within two seconds of its return. */
export const PROBE_EVERY_MS = 1_000;
/** A service that does not answer its probe by then counts as unavailable. */
const PROBE_LIMIT_MS = 2_000;
/** Of a proxy whose service is away, or of a service that cannot reach its database. */
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Whether the service answers. Nothing is asked while calls succeed: a call or a socket that fails has the service
 * probed, and only a failed probe makes it unavailable, until one succeeds.
 */
class Availability {
  private available = true;
  private probing = false;
  private readonly watchers = new Set<() => void>();

  readonly read = (): boolean => this.available;

  /** Calls at each change. @returns ends it */
  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** Calls each time the service is back. @returns ends it */
  readonly whenBack = (act: () => void): (() => void) => this.watch(() => this.available && act());

  /** Takes up that a call had no answer, or one of a service that is away. */
  readonly doubt = (): void => {
    if (!this.probing) void this.probe();
  };

  /** Resolves once a probe has succeeded. */
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

/** Whether a status says that the service is unavailable; 0 stands for no answer. */
export function isUnavailableStatus(status: number): boolean {
  return status === 0 || UNAVAILABLE_STATUSES.has(status);
}

async function answers(): Promise<boolean> {
  try {
    const { status } = await fetch(`${SERVICE_URL}/health/ready`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_LIMIT_MS),
    });
    // A proxy may hide this path; that it answers at all says enough.
    return !isUnavailableStatus(status);
  } catch {
    return false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
