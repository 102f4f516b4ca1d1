import { UnknownDependenciesException } from '@nestjs/core/errors/exceptions/unknown-dependencies.exception.js';
import { NodeTypeRegistrationError } from '../nodes/index.js';
import { DatabaseInUseError, DatabaseUnavailableError, SchemaError } from '../database/index.js';
import { SettingsError } from '../settings/index.js';
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
  if (error instanceof NodeTypeRegistrationError)
    return {
      exitCode: MISCONFIGURED,
      lines: [`${error.message} Mend the plug-in, or take it out of WORKFLOW_PLUGINS.`],
    };
  if (error instanceof UnknownDependenciesException && /plug-in "/.test(error.message))
    return {
      exitCode: MISCONFIGURED,
      lines: [`${error.message.split('\n', 1)[0]} List it in the "providers" of its definePlugin.`],
    };
  if (!(error instanceof Error)) return { exitCode: FAILED, lines: [String(error)] };
  const expected =
    error instanceof DatabaseUnavailableError ||
    error instanceof DatabaseInUseError ||
    error instanceof SchemaError ||
    error instanceof CannotListenError;
  return { exitCode: FAILED, lines: [expected ? error.message : (error.stack ?? error.message)] };
}
