import { Logger } from '@nestjs/common';
import {
  ChannelsRefusedError,
  type HeardChannel,
  type RedisLink,
  SealedChannels,
} from '../../storage/index.js';
import type { Clock } from '../../platform/index.js';
import type { InstanceRegistry } from '../../instances/index.js';
import { type OfferedStart, type StartFate, StartOffers, type StartTaker } from './start-offers.js';

const TOPIC = 'starts';
const RUNNER = 'runner:';
const ANSWERS = 'answers:';

/** Who has not answered by then is stopped, cut off or overwhelmed: the start is written here. */
const ANSWER_MS = 500;

/** How long such a one is offered nothing; twice as long each further time in a row, up to so many times. */
const SILENT_REST_MS = 5_000;
const MAX_DOUBLINGS = 4;

/** How long one is offered nothing that has no room. */
const FULL_REST_MS = 50;

/** Between two looks at who is there, while there are starts. */
const LOOK_MS = 1_000;

/** Where Redis refuses what is needed for it. */
const REFUSED_MS = 60_000;

/** Starts offered to one process and not answered: more would only wait there. */
const MAX_UNANSWERED = 256;

/** Characters of a start: a longer one is read from the database by who runs it. */
const MAX_LENGTH = 32_768;

/** Characters of one message. */
const MAX_MESSAGE = 262_144;

/** A process that runs executions, as one that offers starts knows it. */
interface Runner {
  readonly name: string;
  unanswered: number;
  /** Nothing is offered to it until then, on the clock of the process. */
  restsUntil: number;
  /** Times in a row that it did not answer; it is tried with one start then. */
  silences: number;
  /** When it was chosen last, on the clock of the process: of equals the one that waits longest is next. */
  chosenAt: number;
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
  length: number;
}

/** What is sent to a runner. */
interface OffersMessage {
  /** Who is to be answered. */
  readonly from: string;
  /** Epoch milliseconds, by the database's clock; later nobody waits for them any more. */
  readonly until: number;
  readonly starts: readonly OfferedStart[];
}

/** What is answered: executions by their id, and what became of them. */
type AnswerMessage = (readonly [string, StartFate])[];

/**
 * By sealed messages through Redis, which keeps nothing of them. The starts of one turn of the event loop go to one
 * process, that which has the fewest unanswered ones, in one message. Who runs executions itself offers none: what it
 * has no room for is told to the others as everything else that waits. Processes of different builds offer each other
 * nothing: one might leave out what the other says of an execution.
 */
export class RedisStartOffers extends StartOffers {
  private readonly logger = new Logger(RedisStartOffers.name);
  private opening: Promise<SealedChannels> | undefined;
  private runners: ReadonlyMap<string, Runner> = new Map();
  private readonly offers = new Map<string, Offer>();
  /** On the clock of the process. */
  private nextLookAt = 0;
  private load: Load | null = null;
  private readonly answers = new Map<string, AnswerMessage>();
  /** Ids that this process was offered; a message may come again. */
  private readonly seen = new Set<string>();
  /** Where this process is answered. */
  private answered: HeardChannel | undefined;
  /** Where this process is offered starts. */
  private offered: HeardChannel | undefined;

  /** @param secret what all processes on the database know */
  constructor(
    private readonly redis: RedisLink,
    private readonly secret: () => Promise<string>,
    private readonly self: Pick<InstanceRegistry, 'id' | 'build'>,
    private readonly clock: Clock,
  ) {
    super();
  }

  offer(start: OfferedStart): Promise<boolean> | null {
    if (this.offered !== undefined || !this.redis.isUp) return null;
    this.look();
    if (this.answered?.isOpen !== true) return null;
    const load = this.openLoad();
    if (load === null) return null;
    const text = JSON.stringify(start);
    if (text.length > MAX_LENGTH) return null;
    const { id } = start.execution;
    const { runner } = load;
    load.ids.push(id);
    load.texts.push(text);
    load.length += text.length;
    runner.unanswered += 1;
    return new Promise((resolve) => {
      // After a pause of this process the timer is looked at before what has arrived meanwhile.
      const timer = setTimeout(() => setImmediate(() => this.settle(id, 'silent')), ANSWER_MS);
      this.offers.set(id, { runner, resolve, timer });
    });
  }

  async listen(take: StartTaker): Promise<void> {
    const channels = await this.channels();
    this.offered = channels.hear(RUNNER + this.self.id, (text) => this.takeAll(channels, text, take));
  }

  async leave(): Promise<void> {
    this.offered?.close();
  }

  private channels(): Promise<SealedChannels> {
    this.opening ??= this.secret().then(
      (secret) => new SealedChannels(this.redis, TOPIC, `${secret} ${this.self.build}`),
      (error: unknown) => {
        // The database was away; the next one asks again.
        this.opening = undefined;
        throw error;
      },
    );
    return this.opening;
  }

  /** Finds out who is there, now and then, and waits for it never. */
  private look(): void {
    const now = performance.now();
    if (now < this.nextLookAt) return;
    this.nextLookAt = now + LOOK_MS;
    void this.findRunners().catch((error: unknown) => {
      this.runners = new Map();
      if (!(error instanceof ChannelsRefusedError)) return;
      this.nextLookAt = now + REFUSED_MS;
      this.logger.warn(
        `Redis refuses what starts are offered with (PUBLISH, PUBSUB, SUBSCRIBE): ${error.message}. They wait in the database for who runs them.`,
      );
    });
  }

  private async findRunners(): Promise<void> {
    const channels = await this.channels();
    this.answered ??= channels.hear(ANSWERS + this.self.id, (text) => this.hearAnswers(text));
    const names = await channels.heard();
    // The server may have lost a connection that this process believes in.
    if (this.answered.isOpen && !names.includes(ANSWERS + this.self.id)) {
      this.answered.close();
      this.answered = undefined;
    }
    this.runners = new Map(
      names
        .filter((name) => name.startsWith(RUNNER))
        .map((name) => [name, this.runners.get(name) ?? newRunner(name)]),
    );
  }

  /** What goes to one runner at the end of this turn; null where there is none that would answer soon. */
  private openLoad(): Load | null {
    const { load } = this;
    if (load !== null && load.length < MAX_MESSAGE && load.runner.unanswered < most(load.runner)) return load;
    const now = performance.now();
    const [best] = [...this.runners.values()]
      .filter((runner) => runner.restsUntil <= now && runner.unanswered < most(runner))
      .toSorted((a, b) => a.unanswered - b.unanswered || a.chosenAt - b.chosenAt);
    if (best === undefined) return null;
    best.chosenAt = now;
    const opened: Load = { runner: best, ids: [], texts: [], length: 0 };
    this.load = opened;
    setImmediate(() => void this.send(opened));
    return opened;
  }

  private async send(load: Load): Promise<void> {
    if (this.load === load) this.load = null;
    const { runner, ids, texts } = load;
    if (ids.length === 0) return;
    const message = `{"from":"${this.self.id}","until":${this.clock.now() + ANSWER_MS},"starts":[${texts.join(',')}]}`;
    try {
      const channels = await this.channels();
      if ((await channels.send(runner.name, message)) > 0) return;
    } catch {
      // The link tells of outages, once. What became of the message nobody knows.
    }
    for (const id of ids) this.settle(id, 'silent');
  }

  private hearAnswers(text: string): void {
    for (const [id, fate] of JSON.parse(text) as AnswerMessage) this.settle(id, fate);
  }

  private settle(id: string, fate: StartFate | 'silent'): void {
    const offer = this.offers.get(id);
    if (offer === undefined) return;
    const { runner, resolve, timer } = offer;
    this.offers.delete(id);
    clearTimeout(timer);
    runner.unanswered -= 1;
    if (fate === 'silent') this.rest(runner);
    else runner.silences = 0;
    if (fate === 'full') runner.restsUntil = performance.now() + FULL_REST_MS;
    resolve(fate === 'taken');
  }

  /** Of many starts that were not answered the first is one silence. */
  private rest(runner: Runner): void {
    const now = performance.now();
    if (runner.restsUntil > now) return;
    runner.restsUntil = now + SILENT_REST_MS * 2 ** Math.min(runner.silences, MAX_DOUBLINGS);
    runner.silences += 1;
  }

  private takeAll(channels: SealedChannels, text: string, take: StartTaker): void {
    const { from, until, starts } = JSON.parse(text) as OffersMessage;
    const isLate = this.clock.now() > until;
    const fresh = starts.filter(({ execution }) => !this.seen.has(execution.id));
    for (const { execution } of fresh) this.seen.add(execution.id);
    setTimeout(() => {
      for (const { execution } of fresh) this.seen.delete(execution.id);
    }, 2 * ANSWER_MS).unref();
    for (const start of fresh) {
      const fate: Promise<StartFate> = isLate ? Promise.resolve('refused') : take(start);
      void fate.then((said) => this.answer(channels, from, [start.execution.id, said]));
    }
  }

  /** Answers of one turn go together. */
  private answer(channels: SealedChannels, to: string, said: readonly [string, StartFate]): void {
    const waiting = this.answers.get(to);
    if (waiting !== undefined) return void waiting.push(said);
    const answers = [said];
    this.answers.set(to, answers);
    setImmediate(() => {
      this.answers.delete(to);
      // Who waits for one that does not arrive looks for itself.
      void channels.send(ANSWERS + to, JSON.stringify(answers)).catch(() => undefined);
    });
  }
}

function newRunner(name: string): Runner {
  return { name, unanswered: 0, restsUntil: 0, silences: 0, chosenAt: 0 };
}

function most({ silences }: Runner): number {
  return silences > 0 ? 1 : MAX_UNANSWERED;
}
