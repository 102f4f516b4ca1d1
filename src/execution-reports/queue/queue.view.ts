import { ApiProperty } from '@nestjs/swagger';
import { isoTime } from '../../platform/index.js';
import type { QueueFigures, QueueProcess } from './queue.service.js';

const ID_EXAMPLE = '0199a8c0-2222-7abc-8def-0123456789ab';

class ProjectQueueView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  project_id: string;

  /** Executions that may run now and wait for a process. */
  @ApiProperty({ type: 'integer', example: 12 })
  runnable: number;

  /** Executions that wake later by themselves. */
  @ApiProperty({ type: 'integer', example: 3 })
  sleeping: number;

  /** Since when the first of the runnable ones could run; null where there is none. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  oldest_runnable_at: string | null;
}

/** A process of the service. */
export class QueueProcessView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', example: 'worker-7f9c' })
  host: string;

  @ApiProperty({ type: 'integer', example: 1 })
  pid: number;

  /** What it does: `all`, `api` or `worker`; null for one of an older version. */
  @ApiProperty({ type: 'string', nullable: true, example: 'worker' })
  role: string | null;

  /** What it runs, with the beginning of the commit where that is known; null for one of an older version. */
  @ApiProperty({ type: 'string', nullable: true, example: '1.0.0+9fceb02' })
  version: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  started_at: string;

  /** Since its last heartbeat, which comes every five seconds. After 20,000 it counts as dead. */
  @ApiProperty({ type: 'integer', example: 1200 })
  silent_ms: number;

  /** Executions that it has claimed and runs. */
  @ApiProperty({ type: 'integer', example: 40 })
  executions_held: number;
}

/** How the queue stands. */
export class QueueView {
  @ApiProperty({ type: 'string', format: 'date-time' })
  measured_at: string;

  /** Of the team's projects; those of which nothing waits are left out. */
  @ApiProperty({ type: [ProjectQueueView] })
  projects: ProjectQueueView[];

  /** All processes on the database, whichever team they work for; the longest running first. */
  @ApiProperty({ type: [QueueProcessView] })
  processes: QueueProcessView[];
}

export function queueView({ projects, processes }: QueueFigures, measuredAt: number): QueueView {
  return {
    measured_at: isoTime(measuredAt),
    projects: projects.map(({ projectId, runnable, sleeping, oldestRunnableAt }) => ({
      project_id: projectId,
      runnable,
      sleeping,
      oldest_runnable_at: oldestRunnableAt,
    })),
    processes: processes.map(processView),
  };
}

export function processView({
  id,
  host,
  pid,
  role,
  version,
  startedAt,
  silentMs,
  held,
}: QueueProcess): Pick<QueueProcessView, keyof QueueProcessView> {
  return {
    id,
    host,
    pid,
    role,
    version,
    started_at: startedAt,
    silent_ms: Math.max(0, silentMs),
    executions_held: held,
  };
}
