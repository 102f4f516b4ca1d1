import { HintCoalescer, type Notifications } from '../../storage/index.ts';
import { WorkNotifier } from './work-notifier.ts';

const TOPIC = 'workflow_work';

/** Announces runnable work by PostgreSQL notifications, which every process receives. */
export class DatabaseWorkNotifier extends WorkNotifier {
  private readonly hints: HintCoalescer;
  private closed = false;

  constructor(private readonly notices: Notifications) {
    super();
    this.hints = new HintCoalescer(() => notices.notify(TOPIC));
  }

  notify(): void {
    this.hints.notify();
  }

  async onWork(listener: () => void): Promise<void> {
    await this.notices.listen(TOPIC, () => {
      if (!this.closed) listener();
    });
  }

  /** Keeps the PostgreSQL connection open, because other topics share it. */
  async close(): Promise<void> {
    this.closed = true;
    await this.notices.notify(TOPIC);
  }
}
