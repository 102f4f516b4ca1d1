import type { ErrorRecord } from './error-record.js';

interface LogEntry {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
  readonly context?: string;
  readonly err?: ErrorRecord;
  readonly [field: string]: unknown;
}

const COLORS: Readonly<Record<string, number>> = {
  fatal: 31,
  error: 31,
  warn: 33,
  info: 36,
  debug: 90,
  trace: 90,
};

/** Formats a log entry for people: one line, followed by the stack if the entry has an error. */
export function terminalLine(json: string): string {
  const { time, level, msg = '', context, err, ...fields } = JSON.parse(json) as LogEntry;
  const label = `\u001b[${COLORS[level] ?? 0}m${level.padEnd(5)}\u001b[0m`;
  const more = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = [context === undefined ? '' : `${context}:`, msg, ...more].filter((part) => part !== '');
  const head = [time.slice(11, 19), label, ...text.map(escaped)];
  return `${head.join(' ')}\n${err === undefined ? '' : `${escaped(stackOf(err))}\n`}`;
}

/** Escapes control characters except line breaks and tabs, because a terminal would execute them. */
function escaped(text: string): string {
  return text.replace(
    /[^\P{Cc}\n\t]/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

function stackOf(error: ErrorRecord): string {
  const own = error.stack ?? `${error.type}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${stackOf(error.cause)}`;
}
