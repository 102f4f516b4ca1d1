import { UnknownDependenciesException } from '@nestjs/core/errors/exceptions/unknown-dependencies.exception.js';
import { NodeTypeRegistrationError } from '../nodes/index.js';
import { DatabaseInUseError, DatabaseUnavailableError, SchemaError } from '../database/index.js';
import { SettingsError } from '../settings/index.js';
import { CannotListenError } from './listen.js';

/** Message and exit code of a process that failed to start. */
export interface StartupFailure {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

const FAILED = 1;
const MISCONFIGURED = 2;

/**
 * Describes why a process failed to start: the message of an expected failure, or the stack trace of any other error.
 */
export function startupFailure(error: unknown): StartupFailure {
  if (error instanceof SettingsError) return { exitCode: MISCONFIGURED, lines: error.faults };
  if (error instanceof NodeTypeRegistrationError)
    return {
      exitCode: MISCONFIGURED,
      lines: [`${error.message} Fix the plug-in, or remove it from WORKFLOW_PLUGINS.`],
    };
  if (error instanceof UnknownDependenciesException && /plug-in "/.test(error.message))
    return {
      exitCode: MISCONFIGURED,
      lines: [`${error.message.split('\n', 1)[0]} Add it to "providers" in the plug-in's definePlugin.`],
    };
  if (!(error instanceof Error)) return { exitCode: FAILED, lines: [String(error)] };
  const expected =
    error instanceof DatabaseUnavailableError ||
    error instanceof DatabaseInUseError ||
    error instanceof SchemaError ||
    error instanceof CannotListenError;
  return { exitCode: FAILED, lines: [expected ? error.message : (error.stack ?? error.message)] };
}
