import { FlakyServer, json } from './flaky-server.js';

/** A test server that counts its concurrent requests. Tests use it to know how many executions run at once. */
export class Turnstile {
  /** Names of the received requests, in order of arrival. */
  readonly entered: string[] = [];
  /** The highest number of concurrent requests so far. */
  most = 0;
  private inside = 0;
  private held: (() => void)[] | null = null;

  private constructor(readonly server: FlakyServer) {}

  /** @param stayMs time in milliseconds until each call gets its response */
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

  /** Returns a node that calls the test server. The execution's input is the name of the request. */
  node(id = 'turn'): Readonly<Record<string, never>> {
    const headers = { 'x-name': '{{ input }}' };
    return { id, type: 'http', with: { method: 'POST', url: this.server.url('/turn'), headers } } as never;
  }

  /** Delays all responses until the test calls `release`. */
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
