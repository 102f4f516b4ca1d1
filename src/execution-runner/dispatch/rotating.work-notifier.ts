import { HintCoalescer, type Notifications } from '../../storage/index.ts';
import type { InstanceRegistry } from '../../instances/index.ts';
import { WorkNotifier } from './work-notifier.ts';

const TOPIC = 'workflow_work';

/**
 * Number of processes that a notification wakes. Each woken process runs a claim, so waking all of many processes costs
 * more than the execution itself. A second process is woken because the first one may have crashed.
 */
const WOKEN = 2;

/**
 * Announces runnable work to the processes of a PostgreSQL database. Each notification wakes two processes, which take
 * turns. A woken process without a free slot wakes all processes.
 */
export class RotatingWorkNotifier extends WorkNotifier {
  private readonly hints = new HintCoalescer(() => this.wakeNext());
  private readonly calls = new HintCoalescer(() => this.wakeAll());
  private closed = false;
  /** Starts at a random process, so that the notifications of several processes reach different ones. */
  private turn = Math.floor(Math.random() * 1_000);

  constructor(
    private readonly notices: Notifications,
    private readonly instances: Pick<InstanceRegistry, 'id' | 'onWorkerJoin' | 'otherWorkers'>,
  ) {
    super();
    // A process may have claimed before this process knew of it, and would miss what became runnable in between.
    instances.onWorkerJoin((id) => void notices.notify(topicOf(id)));
  }

  notify(): void {
    this.hints.notify();
  }

  async onWork(listener: () => boolean): Promise<void> {
    await this.notices.listen(TOPIC, () => {
      if (!this.closed) listener();
    });
    await this.notices.listen(topicOf(this.instances.id), () => {
      if (this.closed || !listener()) this.calls.notify();
    });
  }

  /** Keeps the connection for notifications open, because other topics share it. */
  async close(): Promise<void> {
    this.closed = true;
    await this.wakeAll();
  }

  private async wakeNext(): Promise<void> {
    const others = this.instances.otherWorkers;
    if (others.length <= WOKEN) return this.wakeAll();
    const next = Array.from({ length: WOKEN }, () => others[this.turn++ % others.length] ?? '');
    await this.notices.notify(...next.map(topicOf));
  }

  private wakeAll(): Promise<void> {
    return this.notices.notify(TOPIC);
  }
}

function topicOf(instanceId: string): string {
  return `${TOPIC}_${instanceId}`;
}
