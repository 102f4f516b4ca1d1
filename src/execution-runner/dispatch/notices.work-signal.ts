import { HintCoalescer, type Notices } from '../../storage/index.js';
import { type WorkListener, WorkSignal } from './work-signal.js';

const TOPIC = 'workflow_work';

/** By the database: every process with room hears of it and looks. */
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

  async listen(listener: WorkListener): Promise<void> {
    await this.notices.listen(TOPIC, () => {
      if (!this.closed) listener.hear();
    });
  }

  /** The notices go on: others use them, too. */
  async close(): Promise<void> {
    this.closed = true;
    await this.notices.tell(TOPIC);
  }
}
