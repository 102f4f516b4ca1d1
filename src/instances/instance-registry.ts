import { EffectGuard } from './effect-guard.js';
import { hostname } from 'node:os';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DIALECT, type Dialect, Notifications } from '../storage/index.js';
import { newId, Periodic, readBuildInfo } from '../platform/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { type Instance, InstanceRepository, type NewInstance } from './instance.repository.js';

const HEARTBEAT_MS = 5_000;

/** Milliseconds without a heartbeat after which other processes take over the leases. */
const DEAD_AFTER_MS = 20_000;

/**
 * Age in milliseconds of the last heartbeat after which effects of nodes wait. Another process can take over
 * the executions 5 s later at the earliest.
 */
const SURE_MS = 15_000;

/** Milliseconds between heartbeats while effects of nodes wait for a successful heartbeat. */
const CONFIRM_MS = 250;

/** Topic of processes that started or ended. */
const TOPIC = 'workflow_instances';

/**
 * Thrown when another process uses this process's SQLite file, because both processes would run the same executions.
 */
export class DatabaseTakenOverError extends Error {
  override readonly name = 'DatabaseTakenOverError';

  constructor() {
    super('Another process took over this SQLite database. This process exits.');
  }
}

/** Maintains this process's row in the table of instances. One heartbeat renews all its leases. */
@Injectable()
export class InstanceRegistry {
  readonly id = newId();
  readonly version: string;
  /** Id of the build. Different builds may behave differently. */
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
  /** Send time of the last successful heartbeat. */
  private sentAt = NO_INSTANT;
  /** Send time of the last heartbeat whose lost leases have been handled. */
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
   * @param onBeat called with every heartbeat, after dead processes were removed
   */
  async enter(onBeat: () => Promise<void>): Promise<void> {
    this.onBeat = onBeat;
    const sentAt = instant();
    // The file lock excludes other processes.
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
    // A heartbeat that is still in progress would register this process again.
    await this.heartbeat.stop();
    await this.repository.remove([this.id]);
    await this.notices.notify(TOPIC);
  }

  /** Ids of the other processes that run executions. A process that has crashed may be listed for up to 25 s. */
  get otherWorkers(): readonly string[] {
    return this.workers;
  }

  /** @param onJoin called with the id of each process that runs executions and was not known before */
  onWorkerJoin(onJoin: (id: string) => void): void {
    this.onJoin = onJoin;
  }

  /** Must be called after runs without a lease were stopped. */
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

  /** Reads the list of processes before the next heartbeat, which would read it anyway. */
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

  /** Updates `workers`. @returns the processes that are dead */
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

/** A point in time on two clocks. */
interface Instant {
  /** Milliseconds on the monotonic clock, which pauses while the machine sleeps. */
  readonly monotonic: number;
  /** Milliseconds on the wall clock, which can be set. */
  readonly wall: number;
}

const NO_INSTANT: Instant = { monotonic: -Infinity, wall: -Infinity };

function instant(): Instant {
  return { monotonic: performance.now(), wall: Date.now() };
}

/** Milliseconds since a point in time. The clocks may disagree: the larger of both differences counts. */
function ageOf({ monotonic, wall }: Instant): number {
  return Math.max(performance.now() - monotonic, Date.now() - wall);
}

/** Ends the process immediately, like an unhandled error. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/** Whether a process is dead: its heartbeats are missing, or it no longer exists on this host. */
export function isInstanceDead({
  host,
  pid,
  startedAt,
  silentMs,
}: Pick<Instance, 'host' | 'pid' | 'startedAt' | 'silentMs'>): boolean {
  if (silentMs > DEAD_AFTER_MS) return true;
  if (host !== hostname()) return false;
  // In a container, every process has the id 1. A process with this id and an earlier start time has already
  // ended.
  if (pid === process.pid) return Date.parse(startedAt) < performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
