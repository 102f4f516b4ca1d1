import { FlakyServer, json } from './flaky-server.js';

/** A server that counts its concurrent calls. So tests know how many executions run at the same time. */
export class Turnstile {
  /** Names of the calls, in order of arrival. */
  readonly entered: string[] = [];
  /** Maximum number of concurrent calls so far. */
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

  /** A node that calls the server. The input of the execution is the name of the call. */
  node(id = 'turn'): Readonly<Record<string, never>> {
    const headers = { 'x-name': '{{ input }}' };
    return { id, type: 'http', with: { method: 'POST', url: this.server.url('/turn'), headers } } as never;
  }

  /** Holds back the responses to current and new calls until `release` is called. */
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
