import { HintCoalescer, type Notices } from '../../storage/index.js';
import { WorkSignal } from './work-signal.js';

const TOPIC = 'workflow_work';

/** Sends hints as PostgreSQL notifications, which every process receives. */
export class NoticesWorkSignal extends WorkSignal {
  private readonly hints: HintCoalescer;
  private closed = false;

  constructor(private readonly notices: Notices) {
    super();
    this.hints = new HintCoalescer(() => notices.tell(TOPIC));
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
    await this.notices.tell(TOPIC);
  }
}
