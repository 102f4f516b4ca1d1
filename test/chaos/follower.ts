import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ServiceProcess } from '../support/service-process.js';
import { FINAL_EVENTS } from './journal-verdict.js';
import type { Tenant } from './load.js';

interface Seen {
  readonly type: string;
  readonly sequence?: number;
  readonly cursor?: string;
  readonly project_id?: string;
  readonly execution_id?: string;
}

const AGAIN_MS = 100;

/**
 * A client of the WebSocket endpoint `/ws`, with a key for one project. When the socket closes, the client connects to
 * the next API process and resumes from its last cursor. `faults` collects gaps, refused cursors, events of other
 * projects, and events after a final event.
 */
export class Follower {
  readonly faults: string[] = [];
  /** Ids of the executions whose final event the client received. */
  readonly ended = new Set<string>();
  resumed = 0;
  events = 0;
  private readonly last = new Map<string, number>();
  private cursor: string | undefined;
  private socket: WebSocket | undefined;
  private isClosed = false;
  private ready: () => void = () => undefined;

  private constructor(
    private readonly apis: readonly ServiceProcess[],
    readonly tenant: Tenant,
    private turn: number,
  ) {}

  /** @param at index of the process to which the client connects first */
  static async open(apis: readonly ServiceProcess[], tenant: Tenant, at: number): Promise<Follower> {
    const follower = new Follower(apis, tenant, at);
    const ready = new Promise<void>((resolve) => (follower.ready = resolve));
    follower.connect();
    await ready;
    return follower;
  }

  close(): void {
    this.isClosed = true;
    this.socket?.terminate();
  }

  private connect(): void {
    const api = this.apis[this.turn % this.apis.length];
    const socket = new WebSocket(`${String(api?.url).replace('http', 'ws')}/ws`);
    this.socket = socket;
    socket.on('open', () => {
      const resume = this.cursor === undefined ? {} : { resume_from: this.cursor };
      socket.send(JSON.stringify({ type: 'auth', token: this.tenant.key, ...resume }));
    });
    socket.on('message', (data: Buffer) => this.take(JSON.parse(data.toString()) as Seen));
    socket.on('error', () => undefined);
    socket.on('close', () => void this.again());
  }

  private async again(): Promise<void> {
    if (this.isClosed) return;
    this.turn += 1;
    this.resumed += 1;
    await pause(AGAIN_MS);
    if (!this.isClosed) this.connect();
  }

  private take(message: Seen): void {
    const { type, sequence, cursor, execution_id: id } = message;
    if (type === 'auth.success') {
      this.cursor ??= cursor;
      this.ready();
    }
    if (type === 'resume.failed') this.faults.push('a cursor was refused');
    if (sequence === undefined || id === undefined) return;
    this.events += 1;
    this.cursor = cursor;
    if (message.project_id !== this.tenant.projectId)
      this.faults.push(`received an event of another project, ${message.project_id}`);
    const last = this.last.get(id) ?? 0;
    if (sequence > last + 1) this.faults.push(`${id}: ${sequence} came after ${last}`);
    if (this.ended.has(id) && sequence > last) this.faults.push(`${id}: ${type} came after the final event`);
    this.last.set(id, Math.max(last, sequence));
    if (FINAL_EVENTS.includes(type)) this.ended.add(id);
  }
}
