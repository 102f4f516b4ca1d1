import { Logger } from '@nestjs/common';
import { type Clock, type HeardChannel, type RedisLink, SealedChannels } from '../../platform/index.js';
import type { InstanceRegistry } from '../instances/instance-registry.js';
import { type OfferedStart, StartOffers, type StartTaker } from './start-offers.js';

const TOPIC = 'starts';
const RUNNERS = 'runner:';
const ANSWERS = 'answers:';

/** Who has not answered by then is stopped, cut off or overwhelmed: the start is written here. */
const ANSWER_MS = 500;

/** How long such a one is offered nothing, and one that has no room. */
const SILENT_REST_MS = 5_000;
const FULL_REST_MS = 50;

/** Between two looks at who is there, while there are starts. */
const LOOK_MS = 1_000;

/** Starts offered to one process and not answered: more would only wait there. */
const MAX_UNANSWERED = 256;

/** Characters of a start: a longer one is read from the database by who runs it. */
const MAX_LENGTH = 32_768;

/** A process that runs executions, as one that offers starts knows it. */
interface Runner {
  readonly name: string;
  unanswered: number;
  /** Nothing is offered to it until then, on the clock of the process. */
  restsUntil: number;
}

/** A start that was offered. */
interface Offer {
  readonly runner: Runner;
  readonly resolve: (isTaken: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

/** Starts of one turn of the event loop, for one runner. */
interface Load {
  readonly runner: Runner;
  readonly ids: string[];
  readonly texts: string[];
}

/** What is sent to a runner. */
interface OffersMessage {
  /** Who is to be answered. */
  readonly from: string;
  /** Epoch milliseconds, by the database's clock; later nobody waits for them any more. */
  readonly until: number;
  readonly starts: readonly OfferedStart[];
}

/** What is answered: ids of executions. */
interface AnswerMessage {
  readonly taken: readonly string[];
  readonly left: readonly string[];
}

/** What is to be answered to one process at the end of this turn. */
interface Answer {
  readonly taken: string[];
  readonly left: string[];
}

/**
 * By sealed messages through Redis, which keeps nothing of them. The starts of one turn of the event loop go to one
 * process, that which has the fewest unanswered ones, in one message. Who runs executions itself offers none: what it
 * has no room for is told to the others as everything else that waits. Processes of different builds offer each other
 * nothing: one might leave out what the other says of an execution.
 */
export class RedisStartOffers extends StartOffers {
  private readonly logger = new Logger(RedisStartOffers.name);
  private channels: SealedChannels | undefined;
  private runners: ReadonlyMap<string, Runner> = new Map();
  private readonly offers = new Map<string, Offer>();
  private lookedAt = Number.NEGATIVE_INFINITY;
  private load: Load | null = null;
  private readonly answers = new Map<string, Answer>();
  /** Where this process is answered. */
  private answered: HeardChannel | undefined;
  /** Where this process is offered starts. */
  private offered: HeardChannel | undefined;

  /** @param secret what all processes on the database know */
  constructor(
    private readonly redis: RedisLink,
    private readonly secret: () => Promise<string>,
    private readonly self: Pick<InstanceRegistry, 'id' | 'version'>,
    private readonly clock: Clock,
  ) {
    super();
  }

  offer(start: OfferedStart): Promise<boolean> | null {
    if (this.offered !== undefined || !this.redis.isUp) return null;
    this.look();
    const load = this.load ?? this.newLoad();
    if (load === null || load.runner.unanswered >= MAX_UNANSWERED) return null;
    const text = JSON.stringify(start);
    if (text.length > MAX_LENGTH) return null;
    const { id } = start.execution;
    const { runner } = load;
    load.ids.push(id);
    load.texts.push(text);
    runner.unanswered += 1;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(id, false, SILENT_REST_MS), ANSWER_MS);
      this.offers.set(id, { runner, resolve, timer });
    });
  }

  async listen(take: StartTaker): Promise<void> {
    const channels = await this.open();
    this.offered = channels.hear(RUNNERS + this.self.id, (text) => this.takeAll(text, take));
  }

  async leave(): Promise<void> {
    this.offered?.close();
  }

  private async open(): Promise<SealedChannels> {
    this.channels ??= new SealedChannels(this.redis, TOPIC, `${await this.secret()} ${this.self.version}`);
    return this.channels;
  }

  /** Finds out who is there, now and then, and waits for it never. */
  private look(): void {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_MS) return;
    this.lookedAt = now;
    void this.findRunners().catch((error: unknown) => {
      this.logger.debug({ err: error }, 'It could not be found out which processes take starts.');
    });
  }

  private async findRunners(): Promise<void> {
    const channels = await this.open();
    this.answered ??= channels.hear(ANSWERS + this.self.id, (text) => this.hearAnswers(text));
    const names = await channels.heard(RUNNERS);
    this.runners = new Map(
      names.map((name) => [name, this.runners.get(name) ?? { name, unanswered: 0, restsUntil: 0 }]),
    );
  }

  private newLoad(): Load | null {
    if (this.answered?.isOpen !== true) return null;
    const now = performance.now();
    let best: Runner | undefined;
    for (const runner of this.runners.values())
      if (runner.restsUntil <= now && runner.unanswered < (best?.unanswered ?? MAX_UNANSWERED)) best = runner;
    if (best === undefined) return null;
    this.load = { runner: best, ids: [], texts: [] };
    setImmediate(() => void this.send());
    return this.load;
  }

  private async send(): Promise<void> {
    const { load, channels } = this;
    this.load = null;
    if (load === null || channels === undefined) return;
    const { runner, ids, texts } = load;
    const message = `{"from":"${this.self.id}","until":${this.clock.now() + ANSWER_MS},"starts":[${texts.join(',')}]}`;
    try {
      if ((await channels.send(runner.name, message)) > 0) return;
    } catch {
      // The link tells of outages, once. What became of the message nobody knows.
    }
    for (const id of ids) this.settle(id, false, SILENT_REST_MS);
  }

  private hearAnswers(text: string): void {
    const { taken, left } = JSON.parse(text) as AnswerMessage;
    for (const id of taken) this.settle(id, true, 0);
    for (const id of left) this.settle(id, false, FULL_REST_MS);
  }

  private settle(id: string, isTaken: boolean, restMs: number): void {
    const offer = this.offers.get(id);
    if (offer === undefined) return;
    const { runner, resolve, timer } = offer;
    this.offers.delete(id);
    clearTimeout(timer);
    runner.unanswered -= 1;
    if (restMs > 0) runner.restsUntil = performance.now() + restMs;
    resolve(isTaken);
  }

  private takeAll(text: string, take: StartTaker): void {
    const { from, until, starts } = JSON.parse(text) as OffersMessage;
    if (this.clock.now() > until) return;
    for (const start of starts)
      void take(start).then((isTaken) => this.answer(from, start.execution.id, isTaken));
  }

  private answer(to: string, id: string, isTaken: boolean): void {
    let answer = this.answers.get(to);
    if (answer === undefined) {
      answer = { taken: [], left: [] };
      this.answers.set(to, answer);
      setImmediate(() => this.sendAnswer(to));
    }
    (isTaken ? answer.taken : answer.left).push(id);
  }

  private sendAnswer(to: string): void {
    const answer = this.answers.get(to);
    this.answers.delete(to);
    if (answer === undefined || this.channels === undefined) return;
    // Who waits for one that does not arrive looks for itself.
    void this.channels.send(ANSWERS + to, JSON.stringify(answer)).catch(() => undefined);
  }
}
