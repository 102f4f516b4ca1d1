import { HintCoalescer, type Notifications } from '../../storage/index.ts';
import { WorkNotifier } from './work-notifier.ts';

const TOPIC = 'workflow_work';

/** Sends hints as PostgreSQL notifications, which every process receives. */
export class DatabaseWorkNotifier extends WorkNotifier {
  private readonly hints: HintCoalescer;
  private closed = false;

  constructor(private readonly notices: Notifications) {
    super();
    this.hints = new HintCoalescer(() => notices.notify(TOPIC));
  }

  tell(): void {
    this.hints.notify();
  }

  async listen(onWork: () => void): Promise<void> {
    await this.notices.listen(TOPIC, () => {
      if (!this.closed) onWork();
    });
  }

  /** The notification connection stays open: other topics use it. */
  async close(): Promise<void> {
    this.closed = true;
    await this.notices.notify(TOPIC);
  }
}
