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

/** All statuses of the service's objects. */
export type Status =
  | 'queued'
  | 'pending'
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

export type StatusTone = 'completed' | 'failed' | 'running' | 'waiting' | 'timed-out' | 'idle';

interface StatusLook {
  readonly word: string;
  readonly tone: StatusTone;
  readonly icon: LucideIcon;
}

/** Icon, label and color of each status; color is never the only difference. */
export const STATUSES: Readonly<Record<Status, StatusLook>> = {
  queued: { word: 'Queued', tone: 'idle', icon: Clock },
  pending: { word: 'Pending', tone: 'idle', icon: Clock },
  running: { word: 'Running', tone: 'running', icon: CirclePlay },
  retrying: { word: 'Retrying', tone: 'waiting', icon: RotateCw },
  waiting: { word: 'Waiting', tone: 'waiting', icon: Hourglass },
  paused: { word: 'Paused', tone: 'waiting', icon: CirclePause },
  completed: { word: 'Completed', tone: 'completed', icon: CircleCheck },
  failed: { word: 'Failed', tone: 'failed', icon: CircleAlert },
  cancelled: { word: 'Cancelled', tone: 'idle', icon: Ban },
  timed_out: { word: 'Timed out', tone: 'timed-out', icon: TimerOff },
  skipped: { word: 'Skipped', tone: 'idle', icon: CircleDashed },
  draft: { word: 'Draft', tone: 'idle', icon: PencilLine },
  active: { word: 'Active', tone: 'completed', icon: CircleCheck },
  archived: { word: 'Archived', tone: 'idle', icon: Archive },
  closed: { word: 'Closed', tone: 'idle', icon: Power },
  expired: { word: 'Expired', tone: 'timed-out', icon: TimerOff },
  ended: { word: 'Ended', tone: 'idle', icon: Power },
  started: { word: 'Started', tone: 'completed', icon: CircleCheck },
  signalled: { word: 'Signalled', tone: 'completed', icon: CircleCheck },
  repeated: { word: 'Repeated', tone: 'idle', icon: RotateCw },
  refused: { word: 'Refused', tone: 'failed', icon: Ban },
  delivered: { word: 'Delivered', tone: 'completed', icon: CircleCheck },
  disabled: { word: 'Disabled', tone: 'failed', icon: Ban },
};

/** Statuses in which an execution never changes again. */
export const FINAL_STATUSES: ReadonlySet<Status> = new Set(['completed', 'failed', 'cancelled', 'timed_out']);
