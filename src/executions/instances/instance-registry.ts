import { hostname } from 'node:os';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  DIALECT,
  type Dialect,
  newId,
  readBuildInfo,
  SETTINGS,
  type Settings,
} from '../../platform/index.js';
import { type Instance, InstanceRepository, type NewInstance } from './instance.repository.js';

/** How often a process says that it lives. */
const HEARTBEAT_MS = 5_000;

/** Silence after which a process counts as dead and what it holds is taken from it. */
const DEAD_AFTER_MS = 20_000;

/** Thrown at start when another process uses the same SQLite file; a second one must not run on it. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';

  constructor(pid: number) {
    super(
      `Another Workflow Service (process ${pid}) runs on this SQLite database. Stop it, set DATA_DIR to another directory, or use PostgreSQL to run several.`,
    );
  }
}

/** This process among all on the database: one row kept alive, instead of a lease an execution. */
@Injectable()
export class InstanceRegistry {
  readonly id = newId();
  /** Of the service that it runs. */
  readonly version: string;
  /** Names the code that it runs: two processes with another one may differ in anything. */
  readonly build: string;
  private readonly logger = new Logger(InstanceRegistry.name);
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> | null = null;

  constructor(
    private readonly repository: InstanceRepository,
    @Inject(DIALECT) private readonly dialect: Dialect,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    const { version, commit, builtAt } = readBuildInfo(import.meta.url, process.env);
    const isKnown = commit !== 'unknown';
    this.version = isKnown ? `${version}+${commit.slice(0, 7)}` : version;
    this.build = `${version} ${isKnown ? commit : builtAt}`;
  }

  /**
   * Enters this process.
   * @param onBeat called at once and with every heartbeat, after processes that died were taken off the list
   */
  async enter(onBeat: () => Promise<void>): Promise<void> {
    if (this.dialect === 'sqlite') await this.registerAlone();
    else await this.register();
    await this.bury();
    await onBeat();
    this.timer = setInterval(() => void (this.beating ??= this.beat(onBeat)), HEARTBEAT_MS);
    this.timer.unref();
  }

  async leave(): Promise<void> {
    clearInterval(this.timer);
    // One under way would enter it again.
    await this.beating;
    await this.repository.remove([this.id]);
  }

  private async beat(onBeat: () => Promise<void>): Promise<void> {
    try {
      if (!(await this.repository.heartbeat(this.id))) await this.register();
      await this.bury();
      await onBeat();
    } catch (error) {
      this.logger.warn({ err: error }, 'The heartbeat of this process could not be written.');
    } finally {
      this.beating = null;
    }
  }

  private register(): Promise<void> {
    return this.repository.register(this.self());
  }

  /** @throws DatabaseInUseError */
  private async registerAlone(): Promise<void> {
    for (;;) {
      const others = await this.repository.list();
      const running = others.find((instance) => !isInstanceDead(instance));
      if (running !== undefined) throw new DatabaseInUseError(running.pid);
      const dead = others.map(({ id }) => id);
      // Where it is not alone after all, another one came in between: it is found now.
      if (await this.repository.registerAlone(this.self(), dead)) return;
    }
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

  private async bury(): Promise<void> {
    const dead = (await this.repository.list()).filter(
      (instance) => instance.id !== this.id && isInstanceDead(instance),
    );
    await this.repository.remove(dead.map(({ id }) => id));
  }
}

/** On this host the operating system knows; of another host only its silence tells. */
export function isInstanceDead({
  host,
  pid,
  startedAt,
  silentMs,
}: Pick<Instance, 'host' | 'pid' | 'startedAt' | 'silentMs'>): boolean {
  if (silentMs > DEAD_AFTER_MS) return true;
  if (host !== hostname()) return false;
  // In a container every process is number 1: an older start is that of a predecessor.
  if (pid === process.pid) return Date.parse(startedAt) < performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
