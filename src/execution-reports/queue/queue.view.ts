import { ApiProperty } from '@nestjs/swagger';
import { isoTime } from '../../platform/index.js';
import type { QueueFigures, QueueProcess } from './queue.service.js';

const ID_EXAMPLE = '0199a8c0-2222-7abc-8def-0123456789ab';

class ProjectQueueView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  project_id: string;

  /** Number of executions that may run now and wait for a process. */
  @ApiProperty({ type: 'integer', example: 12 })
  runnable: number;

  /** Number of executions that become runnable at a later time. */
  @ApiProperty({ type: 'integer', example: 3 })
  sleeping: number;

  /** Time at which the oldest runnable execution became runnable. Null if no execution is runnable. */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  oldest_runnable_at: string | null;
}

/** A process of the service, as shown in the state of the queue. */
export class QueueProcessView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', example: 'worker-7f9c' })
  host: string;

  @ApiProperty({ type: 'integer', example: 1 })
  pid: number;

  /**
   * Role of the process: `all`, `api` or `worker`. Null if an older version of the service runs and does not report its
   * role.
   */
  @ApiProperty({ type: 'string', nullable: true, example: 'worker' })
  role: string | null;

  /**
   * Version of the service, followed by the first characters of the commit if known. Null if an older version of the
   * service runs and does not report its version.
   */
  @ApiProperty({ type: 'string', nullable: true, example: '1.0.0+9fceb02' })
  version: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  started_at: string;

  /**
   * Milliseconds since the last heartbeat of the process. A process sends a heartbeat every 5 seconds, and counts as
   * dead after 20 seconds without one.
   */
  @ApiProperty({ type: 'integer', example: 1200 })
  silent_ms: number;

  /** Number of executions that the process has claimed and runs. */
  @ApiProperty({ type: 'integer', example: 40 })
  executions_held: number;
}

/** State of the queue: waiting executions by project, and the processes of the service. */
export class QueueView {
  @ApiProperty({ type: 'string', format: 'date-time' })
  measured_at: string;

  /** The projects of the team that have waiting executions. */
  @ApiProperty({ type: [ProjectQueueView] })
  projects: ProjectQueueView[];

  /** All processes that use the database, sorted by start time, oldest first. All teams share these processes. */
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
