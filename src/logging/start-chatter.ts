import type { LogFn, Logger } from 'pino';

/** Logger contexts of Nest's startup messages, which do not help operators. */
const CONTEXTS: ReadonlySet<unknown> = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
  'WebSocketsController',
]);

/** Pino hook that lowers the level of Nest's startup messages from `info` to `debug`. */
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
