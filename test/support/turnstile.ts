import { FlakyServer, json } from './flaky-server.js';

/** A server whose one path counts who is inside: what executions that call it show of their being at once. */
export class Turnstile {
  /** Names in the order in which they came in. */
  readonly entered: string[] = [];
  /** The most that were inside at once. */
  most = 0;
  private inside = 0;
  private held: (() => void)[] | null = null;

  private constructor(readonly server: FlakyServer) {}

  /** @param stayMs how long each call stays inside */
  static async open(stayMs = 30): Promise<Turnstile> {
    const turnstile = new Turnstile(await FlakyServer.start());
    turnstile.server.on('/turn', (request, response) => {
      turnstile.entered.push(String(request.headers['x-name']));
      turnstile.inside += 1;
      turnstile.most = Math.max(turnstile.most, turnstile.inside);
      response.on('close', () => (turnstile.inside -= 1));
      const leave = (): void => void setTimeout(() => json(response, {}), stayMs);
      if (turnstile.held === null) leave();
      else turnstile.held.push(leave);
    });
    return turnstile;
  }

  /** A node that goes through, under the name that the execution's input gives. */
  node(id = 'turn'): Readonly<Record<string, never>> {
    const headers = { 'x-name': '{{ input }}' };
    return { id, type: 'http', with: { method: 'POST', url: this.server.url('/turn'), headers } } as never;
  }

  /** Whoever is inside or comes in stays until `release`. */
  hold(): void {
    this.held = [];
  }

  release(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const leave of held) leave();
  }

  reset(): void {
    this.release();
    this.entered.length = 0;
    this.most = 0;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
