import { ApiProperty } from '@nestjs/swagger';
import { isoTime } from '../../platform/index.js';
import { processView, QueueProcessView } from '../queue/queue.view.js';
import type { SystemFigures } from './system.service.js';

class SystemProcessView extends QueueProcessView {
  /** `executions_held` as a share of RUN_CONCURRENCY; null for a process that runs no executions. */
  @ApiProperty({ type: 'number', nullable: true, example: 0.16 })
  load: number | null;
}

class SystemQueueView {
  /** Executions that may run now and wait for a process. */
  @ApiProperty({ type: 'integer', example: 12 })
  runnable: number;

  /** Executions that wake later by themselves. */
  @ApiProperty({ type: 'integer', example: 3 })
  sleeping: number;

  /** Age of the oldest runnable one; 0 where there is none. */
  @ApiProperty({ type: 'number', example: 0.4 })
  oldest_seconds: number;
}

class SystemCommitsView {
  /** The process that answers: these are its commits of the last five minutes, 1,024 at the most. */
  @ApiProperty({ type: 'string', format: 'uuid', example: '0199a8c0-2222-7abc-8def-0123456789ab' })
  process_id: string;

  @ApiProperty({ type: 'integer', example: 1024 })
  count: number;

  /** Null where there was no commit. */
  @ApiProperty({ type: 'number', nullable: true, example: 1.2 })
  p50_ms: number | null;

  @ApiProperty({ type: 'number', nullable: true, example: 4.8 })
  p95_ms: number | null;

  @ApiProperty({ type: 'number', nullable: true, example: 17.3 })
  max_ms: number | null;
}

class TableSizeView {
  @ApiProperty({ type: 'string', example: 'journal' })
  name: string;

  /** Indexes included. */
  @ApiProperty({ type: 'integer', example: 73_400_320 })
  size_bytes: number;
}

class SystemDatabaseView {
  @ApiProperty({ enum: ['sqlite', 'postgres'], example: 'sqlite' })
  kind: 'sqlite' | 'postgres';

  @ApiProperty({ type: 'integer', example: 104_857_600 })
  size_bytes: number;

  /** The ten largest; null on SQLite beyond 512 MB, where measuring them would read the whole file. */
  @ApiProperty({ type: [TableSizeView], nullable: true })
  tables: TableSizeView[] | null;
}

/** How the service is. */
export class SystemView {
  @ApiProperty({ type: 'string', format: 'date-time' })
  measured_at: string;

  /** All processes on the database; the longest running first. */
  @ApiProperty({ type: [SystemProcessView] })
  processes: SystemProcessView[];

  @ApiProperty({ type: () => SystemQueueView })
  queue: SystemQueueView;

  @ApiProperty({ type: () => SystemCommitsView })
  commits: SystemCommitsView;

  @ApiProperty({ type: () => SystemDatabaseView })
  database: SystemDatabaseView;
}

export function systemView(figures: SystemFigures): SystemView {
  const { measuredAt, processes, capacity, queue, commits, database } = figures;
  const oldest = queue.oldestRunnableAt === null ? measuredAt : Date.parse(queue.oldestRunnableAt);
  return {
    measured_at: isoTime(measuredAt),
    processes: processes.map((process) => ({
      ...processView(process),
      load: process.role === 'api' ? null : Math.round((process.held / capacity) * 1_000) / 1_000,
    })),
    queue: {
      runnable: queue.runnable,
      sleeping: queue.sleeping,
      oldest_seconds: Math.max(0, measuredAt - oldest) / 1_000,
    },
    commits: {
      process_id: figures.processId,
      count: commits.count,
      p50_ms: rounded(commits.p50Ms),
      p95_ms: rounded(commits.p95Ms),
      max_ms: rounded(commits.maxMs),
    },
    database: {
      kind: database.dialect,
      size_bytes: database.bytes,
      tables: database.tables?.map(({ name, bytes }) => ({ name, size_bytes: bytes })) ?? null,
    },
  };
}

/** To a tenth of a millisecond. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}
