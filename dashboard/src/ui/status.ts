import {
  Archive,
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CirclePlay,
  Clock,
  Hourglass,
  type LucideIcon,
  PencilLine,
  Power,
  RotateCw,
  TimerOff,
} from 'lucide-react';
import { texts } from '../texts/en/ui.ts';

/** All statuses that objects of the service can have in the dashboard, for example executions, nodes and deliveries. */
export type Status =
  | 'queued'
  | 'pending'
  | 'not_run'
  | 'running'
  | 'retrying'
  | 'waiting'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'timed_out'
  | 'skipped'
  | 'draft'
  | 'active'
  | 'archived'
  | 'closed'
  | 'expired'
  | 'ended'
  | 'started'
  | 'signalled'
  | 'repeated'
  | 'refused'
  | 'delivered'
  | 'disabled';

export function isStatus(text: string): text is Status {
  return Object.hasOwn(STATUSES, text);
}

export type StatusTone = 'completed' | 'failed' | 'running' | 'waiting' | 'timed-out' | 'idle';

interface StatusLook {
  readonly word: string;
  readonly tone: StatusTone;
  readonly icon: LucideIcon;
}

/** Label, color and icon of each status. Color is never the only difference between two statuses. */
export const STATUSES: Readonly<Record<Status, StatusLook>> = {
  queued: { word: texts.queued, tone: 'idle', icon: Clock },
  pending: { word: texts.pending, tone: 'idle', icon: Clock },
  not_run: { word: texts.notRun, tone: 'idle', icon: CircleDashed },
  running: { word: texts.running, tone: 'running', icon: CirclePlay },
  retrying: { word: texts.retrying, tone: 'waiting', icon: RotateCw },
  waiting: { word: texts.waiting, tone: 'waiting', icon: Hourglass },
  paused: { word: texts.paused, tone: 'waiting', icon: CirclePause },
  completed: { word: texts.completed, tone: 'completed', icon: CircleCheck },
  failed: { word: texts.failed, tone: 'failed', icon: CircleAlert },
  cancelled: { word: texts.cancelled, tone: 'idle', icon: Ban },
  timed_out: { word: texts.timedOut, tone: 'timed-out', icon: TimerOff },
  skipped: { word: texts.skipped, tone: 'idle', icon: CircleDashed },
  draft: { word: texts.draft, tone: 'idle', icon: PencilLine },
  active: { word: texts.active, tone: 'completed', icon: CircleCheck },
  archived: { word: texts.archived, tone: 'idle', icon: Archive },
  closed: { word: texts.closed, tone: 'idle', icon: Power },
  expired: { word: texts.expired, tone: 'timed-out', icon: TimerOff },
  ended: { word: texts.ended, tone: 'idle', icon: Power },
  started: { word: texts.started, tone: 'completed', icon: CircleCheck },
  signalled: { word: texts.signalled, tone: 'completed', icon: CircleCheck },
  repeated: { word: texts.repeated, tone: 'idle', icon: RotateCw },
  refused: { word: texts.refused, tone: 'failed', icon: Ban },
  delivered: { word: texts.delivered, tone: 'completed', icon: CircleCheck },
  disabled: { word: texts.disabled, tone: 'failed', icon: Ban },
};

/** Statuses of ended executions. An ended execution never changes its status. */
export const FINAL_STATUSES: ReadonlySet<Status> = new Set(['completed', 'failed', 'cancelled', 'timed_out']);
