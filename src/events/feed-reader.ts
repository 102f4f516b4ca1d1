import type { Principal } from '../access/index.js';
import type { Batch, Cursor } from '../journal/index.js';
import type { FeedHub, HubReader } from './feed-hub.js';
import { type FeedSink, Replay, type ReplayLimits, type ReplayOwner, type ReplaySource } from './replay.js';
import { Subscription } from './subscription.js';
import type { EventFilter } from './wire.js';

/** Sends the past and live events of all subscriptions of one client, independently of the transport. */
export class FeedReader implements HubReader, ReplayOwner {
  private readonly subscriptions = new Map<string | null, Subscription>();
  /**
   * Temporary subscriptions for projects to which the client gained access while connected. A temporary subscription
   * replays the past events of its projects, and is then merged into the client's own subscription.
   */
  private parts: Subscription[] = [];
  private readonly replay: Replay;

  /** @param readableProjects ids of the projects that the principal may read; updated when projects are created or deleted */
  constructor(
    readonly principal: Principal,
    private readonly readableProjects: Set<string>,
    private readonly hub: FeedHub,
    source: ReplaySource,
    private readonly sink: FeedSink,
    limits: ReplayLimits,
  ) {
    this.replay = new Replay(source, sink, this, limits);
  }

  get size(): number {
    return this.subscriptions.size;
  }

  has(id: string | null): boolean {
    return this.subscriptions.has(id);
  }

  /**
   * Subscribes the client to the events that match a filter, starting after a cursor.
   * @param projectId project of the execution, workflow or session in the filter; undefined if the filter names none
   */
  add(id: string | null, filter: EventFilter, after: Cursor, projectId?: string): void {
    const subscription = new Subscription(
      id,
      filter,
      projectId === undefined ? this.readableProjects : [projectId],
      after,
    );
    this.subscriptions.set(id, subscription);
    this.updateTopics();
    this.replay.add(subscription);
  }

  /** Removes the subscription with the given id. Returns false if no subscription has this id. */
  remove(id: string | null): boolean {
    const subscription = this.subscriptions.get(id);
    if (subscription === undefined) return false;
    this.subscriptions.delete(id);
    for (const part of this.parts) if (part.id === id) this.replay.remove(part);
    this.parts = this.parts.filter((part) => part.id !== id);
    this.replay.remove(subscription);
    this.updateTopics();
    return true;
  }

  close(): void {
    this.hub.remove(this);
    this.replay.close();
  }

  offer(batch: Batch): void {
    this.replay.offer(batch);
  }

  addProjects(projectIds: readonly string[]): void {
    const gained = projectIds.filter((id) => !this.readableProjects.has(id));
    if (gained.length === 0) return;
    for (const projectId of gained) this.readableProjects.add(projectId);
    const spanning = [...this.subscriptions.values()].filter(({ spansProjects }) => spansProjects);
    const parts = spanning.map((subscription) => subscription.ofProjects(gained));
    this.parts.push(...parts);
    this.updateTopics();
    const [first, ...others] = parts;
    if (first !== undefined) this.replay.add(first, ...others);
  }

  get projectIds(): readonly string[] {
    return [...this.readableProjects];
  }

  removeProjects(projectIds: readonly string[]): void {
    for (const projectId of projectIds) {
      this.readableProjects.delete(projectId);
      for (const subscription of [...this.subscriptions.values(), ...this.parts])
        subscription.removeProject(projectId);
    }
    this.updateTopics();
  }

  caughtUp(subscription: Subscription): void {
    if (!this.parts.includes(subscription)) this.sink.caughtUp(subscription.id, subscription.seen);
  }

  /** Adds the projects of the temporary subscriptions to the permanent ones. Called when all replays are complete. */
  replaysCompleted(): void {
    for (const part of this.parts) {
      const whole = this.subscriptions.get(part.id);
      for (const projectId of part.projectIds) whole?.addProject(projectId);
      this.replay.remove(part);
    }
    this.parts = [];
  }

  private updateTopics(): void {
    const all = [...this.subscriptions.values(), ...this.parts];
    this.hub.setTopics(this, {
      topics: new Set(all.flatMap(({ topics }) => topics)),
      projectIds: new Set(all.flatMap(({ projectIds }) => projectIds)),
    });
  }
}
