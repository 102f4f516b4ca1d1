import { HintCoalescer, type Notifications } from '../../storage/index.ts';
import type { InstanceRegistry } from '../../instances/index.ts';
import { WorkNotifier } from './work-notifier.ts';

const TOPIC = 'workflow_work';

/**
 * Number of processes that one notification wakes. A second process is woken because the first one may have crashed.
 * Each woken process queries the database, so waking all processes would cost more than running a short execution.
 */
const WOKEN_PROCESSES = 2;

/**
 * Notifies the other processes on a PostgreSQL database of runnable executions. Each notification wakes two processes,
 * in rotation. If a woken process has no free slot, it notifies all processes.
 */
export class RotatingWorkNotifier extends WorkNotifier {
  private readonly hints = new HintCoalescer(() => this.wakeNext());
  private readonly calls = new HintCoalescer(() => this.wakeAll());
  private closed = false;
  /**
   * Index of the process to wake next. The first index is random, so that several processes do not all wake the same
   * process.
   */
  private turn = Math.floor(Math.random() * 1_000);

  constructor(
    private readonly notifications: Notifications,
    private readonly instances: Pick<InstanceRegistry, 'id' | 'onWorkerJoin' | 'otherWorkers'>,
  ) {
    super();
    // This process may have sent notifications before it knew of a new process. One more notification makes
    // the new process query for runnable executions.
    instances.onWorkerJoin((id) => void notifications.notify(topicOf(id)));
  }

  notify(): void {
    this.hints.notify();
  }

  async onWork(listener: () => boolean): Promise<void> {
    await this.notifications.listen(TOPIC, () => {
      if (!this.closed) listener();
    });
    await this.notifications.listen(topicOf(this.instances.id), () => {
      if (this.closed || !listener()) this.calls.notify();
    });
  }

  /** Closes this notifier, but not the connection, which other topics share. */
  async close(): Promise<void> {
    this.closed = true;
    await this.wakeAll();
  }

  private async wakeNext(): Promise<void> {
    const others = this.instances.otherWorkers;
    if (others.length <= WOKEN_PROCESSES) return this.wakeAll();
    const next = Array.from({ length: WOKEN_PROCESSES }, () => others[this.turn++ % others.length] ?? '');
    await this.notifications.notify(...next.map(topicOf));
  }

  private wakeAll(): Promise<void> {
    return this.notifications.notify(TOPIC);
  }
}

function topicOf(instanceId: string): string {
  return `${TOPIC}_${instanceId}`;
}
