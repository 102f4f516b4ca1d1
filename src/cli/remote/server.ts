import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { isHttps } from '../../http/index.js';
import { localUrl } from '../../platform/index.js';
import { readSettings } from '../../settings/index.js';
import { CommandError } from '../command-error.js';
import { parseJson } from '../json-text.js';
import type { Terminal } from '../terminal.js';

/** Timeout of an API request, in milliseconds. */
const LIMIT_MS = 30_000;

/** Command-line options that select the service: its URL and a file with the API key. */
export interface ServerOptions {
  readonly url?: string;
  readonly keyFile?: string;
}

/** Query parameters of a list request. An undefined parameter is omitted, and an array becomes a repeated parameter. */
export type ListQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly total: number; readonly next_cursor?: string };
}

/** Adds the options `--url` and `--key-file` to a command. */
export function withServerOptions(command: Command): Command {
  return command
    .option('--url <url>', 'URL of the service; default: BASE_URL, or HOST and PORT')
    .option('--key-file <file>', 'file with the API key; default: WORKFLOW_API_KEY');
}

/** A client for the public API of a running service. */
export class Server {
  private constructor(
    /** URL of the service, without a trailing slash. */
    readonly baseUrl: string,
    readonly key: string,
  ) {}

  /**
   * Creates a client for the service. The command-line options override the environment variables.
   * @throws CommandError if no API key is given
   * @throws SettingsError
   */
  static of({ url, keyFile }: ServerOptions, { environment }: Terminal): Server {
    const key = keyFile === undefined ? environment()['WORKFLOW_API_KEY'] : readText(keyFile);
    if (key === undefined || key.trim() === '')
      throw new CommandError(
        'No API key was given. Set WORKFLOW_API_KEY, or pass a file with --key-file. The command "keys create" creates a key.',
      );
    return new Server((url ?? ownUrl(environment())).replace(/\/+$/, ''), key.trim());
  }

  /**
   * @param body undefined fields are omitted
   * @returns the parsed body of the response
   * @throws CommandError if the service does not respond, or with the error message of the service
   */
  async request<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const { ok, status, text } = await this.answer(method, path, body);
    if (ok) return (text === '' ? undefined : JSON.parse(text)) as Body;
    throw new CommandError(messageOf(text) ?? `${this.baseUrl}${path} returned status ${status}.`);
  }

  /**
   * Reads the first page of a list.
   * @param query query parameters; the default of `limit` is 100
   * @throws CommandError as `request` does
   */
  page<Item>(path: string, query: ListQuery = {}): Promise<ListPage<Item>> {
    const parameters = new URLSearchParams();
    for (const [name, values] of Object.entries({ limit: '100', ...query }))
      for (const value of values === undefined ? [] : [values].flat()) parameters.append(name, value);
    return this.request('GET', `${path}?${parameters.toString()}`);
  }

  /**
   * Reads all items of a list, page by page.
   * @throws CommandError as `request` does
   */
  async all<Item>(path: string, query: ListQuery): Promise<readonly Item[]> {
    const items: Item[] = [];
    let cursor: string | undefined;
    do {
      const { data, pagination }: ListPage<Item> = await this.page(path, { ...query, cursor });
      items.push(...data);
      cursor = pagination.next_cursor;
    } while (cursor !== undefined);
    return items;
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
        `There is no response from ${this.baseUrl}. Start the service, or set its address with --url.`,
        { cause: error },
      );
    }
  }
}

/**
 * Returns the content of a text file; `-` reads standard input.
 * @throws CommandError if the file cannot be read
 */
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

/**
 * Returns the parsed content of a JSON file.
 * @throws CommandError if the file cannot be read or is not JSON
 */
export function readJson(file: string): unknown {
  return parseJson(readText(file), file);
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
