import type { LogFn, Logger } from 'pino';

/** Contexts in which the framework tells how it starts; of interest to nobody but its own maintainers. */
const CONTEXTS: ReadonlySet<unknown> = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
  'WebSocketsController',
]);

/** Pino's hook for every line: what the framework says of its start at `info` is worth no more than `debug`. */
export function demoteStartChatter(
  this: Logger,
  parameters: Parameters<LogFn>,
  log: LogFn,
  level: number,
): void {
  const [fields] = parameters as readonly unknown[];
  const isChatter =
    level === this.levels.values['info'] &&
    typeof fields === 'object' &&
    fields !== null &&
    'context' in fields &&
    CONTEXTS.has(fields.context);
  if (isChatter) this.debug(...parameters);
  else log.apply(this, parameters);
}
