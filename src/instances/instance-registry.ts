import { EffectGuard } from './effect-guard.js';
import { hostname } from 'node:os';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DIALECT, type Dialect, Notifications } from '../storage/index.js';
import { newId, Periodic, readBuildInfo } from '../platform/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { type Instance, InstanceRepository, type NewInstance } from './instance.repository.js';

const HEARTBEAT_MS = 5_000;

/** Milliseconds without a heartbeat after which other processes take over the leases of a process. */
const DEAD_AFTER_MS = 20_000;

/**
 * Age of the last heartbeat, in milliseconds, from which nodes delay their effects. Other processes can take over the
 * executions 5 s later.
 */
const SURE_MS = 15_000;

/** Milliseconds between heartbeats while effects of nodes wait for a successful heartbeat. */
const CONFIRM_MS = 250;

/** Notification topic for processes that start or end. */
const TOPIC = 'workflow_instances';

/**
 * Thrown when another process has taken over the SQLite file of this process. This process must end, because otherwise
 * both processes would run the same executions.
 */
export class DatabaseTakenOverError extends Error {
  override readonly name = 'DatabaseTakenOverError';

  constructor() {
    super('Another process took over this SQLite database. This process exits.');
  }
}

/** Maintains the row of this process in the table `instances`. Each heartbeat renews all leases of the process. */
@Injectable()
export class InstanceRegistry {
  readonly id = newId();
  readonly version: string;
  /** Version of the service with the commit or time of its build. Different builds may behave differently. */
  readonly build: string;
  private readonly logger = new Logger(InstanceRegistry.name);
  private readonly heartbeat = new Periodic(
    HEARTBEAT_MS,
    () => this.beat(),
    (error) => this.logger.warn({ err: error }, 'The heartbeat of this process could not be written.'),
  );
  private hasLeft = false;
  private onBeat: () => Promise<void> = () => Promise.resolve();
  private onJoin: (id: string) => void = () => undefined;
  private workers: readonly string[] = [];
  /** Time at which the last successful heartbeat was sent. */
  private sentAt = NO_INSTANT;
  /**
   * Time at which the last confirmed heartbeat was sent. A heartbeat is confirmed once the runs that lost their lease
   * have been stopped.
   */
  private confirmedAt = NO_INSTANT;

  constructor(
    private readonly repository: InstanceRepository,
    @Inject(DIALECT) private readonly dialect: Dialect,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ROLE'>,
    private readonly effects: EffectGuard,
    private readonly notices: Notifications,
  ) {
    const { version, commit, builtAt } = readBuildInfo(import.meta.url, process.env);
    const isKnown = commit !== 'unknown';
    this.version = isKnown ? `${version}+${commit.slice(0, 7)}` : version;
    this.build = `${version} ${isKnown ? commit : builtAt}`;
  }

  /**
   * Registers this process and starts the heartbeat.
   *
   * @param onBeat called after each heartbeat, once the rows of dead processes have been deleted
   */
  async enter(onBeat: () => Promise<void>): Promise<void> {
    this.onBeat = onBeat;
    const sentAt = instant();
    // With SQLite, a file lock excludes other processes, so all other rows of the table belong to ended processes.
    if (this.dialect === 'sqlite') await this.repository.registerAlone(this.self());
    else await this.register();
    this.sentAt = sentAt;
    await this.notices.listen(TOPIC, () => void this.readAgain());
    await this.notices.notify(TOPIC);
    await this.removeDeadInstances();
    await onBeat();
    this.heartbeat.start();
    this.effects.watchWith({ isSure: () => this.isSure(), confirm: () => this.confirm() });
  }

  async leave(): Promise<void> {
    this.hasLeft = true;
    // Wait for a heartbeat in progress, because it could register this process again after the removal.
    await this.heartbeat.stop();
    await this.repository.remove([this.id]);
    await this.notices.notify(TOPIC);
  }

  /** Ids of the other processes that run executions. The list may contain a crashed process for up to 25 s. */
  get otherWorkers(): readonly string[] {
    return this.workers;
  }

  /** @param onJoin called with the id of each process that runs executions and was not known before */
  onWorkerJoin(onJoin: (id: string) => void): void {
    this.onJoin = onJoin;
  }

  /**
   * Confirms that this process held its leases at the last heartbeat. Must be called after the runs that lost their
   * lease were stopped.
   */
  leasesCompared(): void {
    this.confirmedAt = this.sentAt;
  }

  private isSure(): boolean {
    return ageOf(this.confirmedAt) < SURE_MS;
  }

  private async confirm(): Promise<void> {
    await this.heartbeat.run();
    if (!this.isSure()) await new Promise((resolve) => setTimeout(resolve, CONFIRM_MS));
  }

  private async beat(): Promise<void> {
    if (this.hasLeft) return;
    const sentAt = instant();
    if (!(await this.repository.heartbeat(this.id))) {
      if (this.dialect === 'sqlite') return endProcess(new DatabaseTakenOverError());
      await this.register();
    }
    this.sentAt = sentAt;
    await this.removeDeadInstances();
    await this.onBeat();
  }

  private register(): Promise<void> {
    return this.repository.register(this.self());
  }

  private self(): NewInstance {
    return {
      id: this.id,
      host: hostname(),
      pid: process.pid,
      role: this.settings.ROLE,
      version: this.version,
    };
  }

  /** Reads the list of processes immediately after a notification, instead of at the next heartbeat. */
  private async readAgain(): Promise<void> {
    try {
      await this.readOthers();
    } catch (error) {
      this.logger.debug({ err: error }, 'The list of processes could not be read.');
    }
  }

  private async removeDeadInstances(): Promise<void> {
    await this.repository.remove((await this.readOthers()).map(({ id }) => id));
  }

  /**
   * Reads the other processes from the database and updates the list of processes that run executions.
   * @returns the processes that are dead
   */
  private async readOthers(): Promise<readonly Instance[]> {
    const others = (await this.repository.list()).filter(({ id }) => id !== this.id);
    const dead = others.filter(isInstanceDead);
    const known = new Set(this.workers);
    this.workers = others
      .filter((instance) => instance.role !== 'api' && !dead.includes(instance))
      .map(({ id }) => id);
    for (const id of this.workers) if (!known.has(id)) this.onJoin(id);
    return dead;
  }
}

/** A point in time, measured by the monotonic clock and by the wall clock. */
interface Instant {
  /** Milliseconds on the monotonic clock. On some systems, this clock stops while the machine sleeps. */
  readonly monotonic: number;
  /** Milliseconds on the wall clock. An administrator or NTP may set this clock back. */
  readonly wall: number;
}

const NO_INSTANT: Instant = { monotonic: -Infinity, wall: -Infinity };

function instant(): Instant {
  return { monotonic: performance.now(), wall: Date.now() };
}

/**
 * Returns the milliseconds since a point in time. Measures with the monotonic clock and the wall clock, and returns the
 * larger result.
 */
function ageOf({ monotonic, wall }: Instant): number {
  return Math.max(performance.now() - monotonic, Date.now() - wall);
}

/** Ends the process: throws the error outside of any promise or handler. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/** Whether a process is dead: its last heartbeat is older than 20 s, or no process with its id exists on this host. */
export function isInstanceDead({
  host,
  pid,
  startedAt,
  silentMs,
}: Pick<Instance, 'host' | 'pid' | 'startedAt' | 'silentMs'>): boolean {
  if (silentMs > DEAD_AFTER_MS) return true;
  if (host !== hostname()) return false;
  // In containers, each service process usually has the process id 1. A process with the id of this process and an
  // earlier start time must have ended.
  if (pid === process.pid) return Date.parse(startedAt) < performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
