import { type Display, type Picture, type WireEvent, withEvent } from '../../src/display/index.js';
import { isFinal } from '../../src/execution-events/index.js';
import type { Account } from './account.js';
import { openInBrowser } from './browser.js';
import { demoWorkflow, type Pace, WAITING_NODE } from './demo-workflow.js';
import { EventFeed } from './event-feed.js';
import type { Key } from './keys.js';
import { ServiceClient } from './service-client.js';
import type { ServiceProcess } from './service-process.js';
import type { Shop } from './shop.js';
import { judge, type Verdict } from './verdict.js';

/** Milliseconds from the start of the waiting node to the kill of the server, with the option `--kill`. */
const KILL_AFTER_MS = 600;
/** Maximum duration of the execution in milliseconds. The time restarts at each kill of the server. */
const LIMIT_MS = 90_000;

/** Thrown if the execution of the demo does not end within `LIMIT_MS`. */
export class DemonstrationStuckError extends Error {
  override readonly name = 'DemonstrationStuckError';
}

/** Resources that a demonstration uses but does not close. The code that creates the demonstration also closes them. */
export interface Stage {
  readonly service: ServiceProcess;
  readonly account: Account;
  readonly shop: Shop;
  readonly display: Display;
  /** True if the demo kills the server once by itself, without waiting for a key press. */
  readonly killsItself: boolean;
  readonly pace: Pace;
}

/** Runs the workflow of the demo once, observes its events, and computes the verdict. */
export class Demonstration {
  private readonly live: WireEvent[] = [];
  private readonly feed: EventFeed;
  private readonly client: ServiceClient;
  private kills = 0;
  private restarting: Promise<void> | undefined;
  /** Id of the execution; null until the service has acknowledged the start. */
  private executionId: string | null = null;
  private isKillScheduled = false;
  private limit: NodeJS.Timeout | undefined;
  private readonly ended: Promise<void>;
  private finish: () => void = () => undefined;
  private fail: (error: Error) => void = () => undefined;

  constructor(
    private readonly stage: Stage,
    private picture: Picture,
  ) {
    const { service, account } = stage;
    const baseUrl = (): string => service.baseUrl;
    this.client = new ServiceClient(baseUrl, account.key);
    this.feed = new EventFeed(baseUrl, account.key, {
      event: (event) => this.see(event),
      refused: (error) => this.fail(error),
    });
    this.ended = new Promise((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
    // The promise may reject before any code awaits it. Without this handler, Node.js would exit because of an
    // unhandled rejection.
    this.ended.catch(() => undefined);
  }

  /**
   * @throws DemonstrationStuckError, ServiceEndedError, UnexpectedAnswerError
   */
  async run(): Promise<Verdict> {
    const { service, shop, display, pace } = this.stage;
    const workflow = demoWorkflow(shop.port, pace);
    await service.start(this.fail);
    await this.feed.open();
    const workflowId = await this.client.createWorkflow(workflow);
    const executionId = await this.client.execute(workflowId, { order_id: '4711' });
    this.executionId = executionId;
    display.note(`Execution ${executionId} runs at ${service.baseUrl}.`);
    this.limitDuration();
    if (this.isKillScheduled) this.kill();
    try {
      await this.ended;
      await this.restarting;
    } finally {
      clearTimeout(this.limit);
    }
    const journal = await this.client.events(executionId);
    const nodeIds = workflow.nodes.map(({ id }) => id);
    return judge({ journal, live: this.live, nodeIds, kills: this.kills });
  }

  press(key: Exclude<Key, 'quit'>): void {
    switch (key) {
      case 'open':
        return this.open();
      case 'kill':
        return this.executionId === null ? this.killAfterStart() : this.kill();
    }
  }

  close(): void {
    this.feed.close();
  }

  private see(event: WireEvent): void {
    const { display, killsItself } = this.stage;
    this.live.push(event);
    const before = this.picture;
    this.picture = withEvent(before, event);
    if (this.picture === before) return;
    display.event(event, this.picture);
    if (event.type === 'workflow.recovered') display.note(resumption(event.sequence, event.data.node_ids));
    if (killsItself && event.type === 'workflow.node.waiting' && event.node_id === WAITING_NODE)
      this.killSoon();
    if (isFinal(this.picture.status)) this.finish();
  }

  private limitDuration(): void {
    clearTimeout(this.limit);
    this.limit = setTimeout(
      () => this.fail(new DemonstrationStuckError(`The execution has not ended after ${LIMIT_MS / 1000} s.`)),
      LIMIT_MS,
    );
  }

  private killSoon(): void {
    if (this.isKillScheduled) return;
    this.isKillScheduled = true;
    setTimeout(() => this.kill(), KILL_AFTER_MS);
  }

  /**
   * Schedules a kill of the server for the moment at which the service acknowledges the start. An earlier kill would
   * prove nothing, because there is no execution to lose.
   */
  private killAfterStart(): void {
    if (this.isKillScheduled) return;
    this.isKillScheduled = true;
    this.stage.display.note('The server will be killed as soon as the execution has started.');
  }

  private kill(): void {
    if (this.restarting !== undefined || isFinal(this.picture.status)) return;
    this.kills += 1;
    this.limitDuration();
    this.restarting = this.restart()
      .catch((error: unknown) => this.fail(error instanceof Error ? error : new Error(String(error))))
      .finally(() => {
        this.restarting = undefined;
      });
  }

  private async restart(): Promise<void> {
    const { service, display } = this.stage;
    display.note(
      `The server (process ${service.pid}) is killed with SIGKILL at event ${this.picture.sequence}.`,
    );
    const begun = performance.now();
    await service.kill();
    await service.start(this.fail);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    display.note(
      `The server (process ${service.pid}) is running again after ${seconds} s, with the same data.`,
    );
  }

  private open(): void {
    const { service, account, display } = this.stage;
    if (this.executionId === null)
      return display.note('The browser can open when the execution has started.');
    const url = `${service.baseUrl}/dashboard/executions/${this.executionId}`;
    display.note(`${url}  (${account.email}, password ${account.password})`);
    openInBrowser(url);
  }
}

function resumption(sequence: number, nodeIds: readonly string[]): string {
  const again = nodeIds.length === 0 ? 'no node had to run again' : `running again: ${nodeIds.join(', ')}`;
  return `The execution resumes from its journal at event ${sequence}; ${again}, all other results are kept.`;
}
