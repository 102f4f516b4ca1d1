import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { isHttps } from '../../http/index.js';
import { localUrl } from '../../platform/index.js';
import { readSettings } from '../../settings/index.js';
import { CommandError } from '../command-error.js';
import type { Terminal } from '../terminal.js';

/** Timeout for one response, in milliseconds. */
const LIMIT_MS = 30_000;

/** URL and key of the service that a command uses. */
export interface ServerOptions {
  readonly url?: string;
  readonly keyFile?: string;
}

/** Adds the options that select the service. */
export function withServerOptions(command: Command): Command {
  return command
    .option('--url <url>', 'where the service is; without it BASE_URL, else HOST and PORT')
    .option('--key-file <file>', 'file with the API key; without it WORKFLOW_API_KEY');
}

/** A running service, accessed over its public API. */
export class Server {
  private constructor(
    /** Without a trailing slash. */
    readonly baseUrl: string,
    readonly key: string,
  ) {}

  /** @throws CommandError when no key is given; SettingsError */
  static of({ url, keyFile }: ServerOptions, { environment }: Terminal): Server {
    const key = keyFile === undefined ? environment()['WORKFLOW_API_KEY'] : readText(keyFile);
    if (key === undefined || key.trim() === '')
      throw new CommandError(
        'There is no API key. Set WORKFLOW_API_KEY to one, or name a file that holds one with --key-file; "keys create" makes it.',
      );
    return new Server((url ?? ownUrl(environment())).replace(/\/+$/, ''), key.trim());
  }

  /** @throws CommandError with the service's error message, or when it does not respond */
  async request<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const { ok, status, text } = await this.answer(method, path, body);
    if (ok) return (text === '' ? undefined : JSON.parse(text)) as Body;
    throw new CommandError(messageOf(text) ?? `${this.baseUrl}${path} answered ${status}.`);
  }

  private async answer(method: string, path: string, body: unknown) {
    try {
      const response = await fetch(`${this.baseUrl}${path}`, {
        method,
        headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      return { ok: response.ok, status: response.status, text: await response.text() };
    } catch (error) {
      throw new CommandError(
        `Nothing answers at ${this.baseUrl}. Start the service, or say where it is with --url.`,
        { cause: error },
      );
    }
  }
}

/** @throws CommandError */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  }
}

/** @throws CommandError */
export function readJson(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(
      `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  }
}

function ownUrl(environment: Readonly<Record<string, string | undefined>>): string {
  const settings = readSettings(environment);
  return settings.BASE_URL ?? localUrl(settings.HOST, settings.PORT, isHttps(settings));
}

function messageOf(answer: string): string | undefined {
  try {
    const { error } = JSON.parse(answer) as { readonly error?: { readonly message?: string } };
    return error?.message;
  } catch {
    return undefined;
  }
}
