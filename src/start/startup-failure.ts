import { DatabaseInUseError } from '../executions/index.js';
import { DatabaseUnavailableError, SettingsError } from '../platform/index.js';
import { CannotListenError } from './listen.js';

/** How a process ends that could not start. */
export interface StartupFailure {
  readonly exitCode: number;
  /** For stderr. */
  readonly lines: readonly string[];
}

const FAILED = 1;
const MISCONFIGURED = 2;

/** What a person is told: a sentence where the failure is one to be expected, else all that is known of it. */
export function startupFailure(error: unknown): StartupFailure {
  if (error instanceof SettingsError) return { exitCode: MISCONFIGURED, lines: error.faults };
  if (!(error instanceof Error)) return { exitCode: FAILED, lines: [String(error)] };
  const expected =
    error instanceof DatabaseUnavailableError ||
    error instanceof DatabaseInUseError ||
    error instanceof CannotListenError;
  return { exitCode: FAILED, lines: [expected ? error.message : (error.stack ?? error.message)] };
}
