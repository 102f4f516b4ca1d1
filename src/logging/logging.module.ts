import { type DynamicModule, Module } from '@nestjs/common';
import { Logger, LoggerModule } from 'nestjs-pino';
import { destination, type DestinationStream, type LoggerOptions, pino, stdTimeFunctions } from 'pino';
import type { Settings } from '../settings/index.js';
import { errorRecord } from './error-record.js';
import { maskedLine } from './line-masks.js';
import { limitOutages } from './outage-log.js';
import { redactedByName, redactedByShape } from './redaction.js';
import { demoteStartChatter } from './start-chatter.js';
import { terminalLine } from './terminal-line.js';

/** Logger to which Nest writes its messages: `app.useLogger(app.get(ServiceLogger))`. */
export { Logger as ServiceLogger };

/** Writes the log of the process, as JSON lines or as readable lines for terminals. */
@Module({})
export class LoggingModule {
  /** All requests share one logger, because creating a logger for each request takes longer than the request. */
  static forRoot(
    { LOG_LEVEL, LOG_FORMAT }: Pick<Settings, 'LOG_LEVEL' | 'LOG_FORMAT'>,
    stream: DestinationStream = logStream(LOG_FORMAT ?? (process.stdout.isTTY ? 'pretty' : 'json')),
  ): DynamicModule {
    // `nestjs-pino` gets a finished logger, because with options it would add its own serializer of errors.
    const logger = pino(logOptions(LOG_LEVEL), stream);
    return {
      module: LoggingModule,
      imports: [
        LoggerModule.forRoot({
          pinoHttp: { logger, autoLogging: false, wrapSerializers: false },
          forRoutes: [],
        }),
      ],
    };
  }
}

export function logOptions(level: Settings['LOG_LEVEL']): LoggerOptions {
  return {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: redactedByName },
    serializers: { err: (error: unknown) => errorRecord(error) },
    hooks: {
      streamWrite: (line) => redactedByShape(maskedLine(line)),
      logMethod: limitOutages(demoteStartChatter),
    },
  };
}

function logStream(format: NonNullable<Settings['LOG_FORMAT']>): DestinationStream {
  if (format === 'json') return destination({ fd: 1, sync: false });
  return {
    write: (json: string) => {
      process.stdout.write(terminalLine(json));
    },
  };
}
