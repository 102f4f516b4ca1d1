import type { ReactNode } from 'react';
import { count, number } from '../../format/count.ts';
import { rich } from '../rich.ts';

export const texts = {
  type: 'Type',
  executionId: 'Execution ID',
  resumeShortcut: 'Resume',
  pause: 'Pause',
  events: 'Events',
  resume: 'Resume',
  resumeWaiting: (waiting: string) => `Resume (${waiting} waiting)`,
  cutConnection: 'Cut my connection',
  cutHint: 'Available after the first event',
  noGaps: 'no gaps',
  missing: (gaps: number) => `${count(gaps, 'event')} missing`,
  summary: (received: number, executions: number, gaps: ReactNode) =>
    rich`${count(received, 'event')} from ${count(executions, 'execution')}, ${gaps}`,
  matchingEventsAppear: 'Matching events appear here as they happen.',
  noEventsMatch: 'No events match',
  clearFilters: 'Clear filters',
  eventsAppear: 'Events of all executions appear here as they happen.',
  waitingForEvents: 'Waiting for events',
  couldNotCountMissed: "Couldn't count the missed events.",
  connectionCut: 'The connection is cut. It reconnects in 3 seconds; executions continue.',
  catchingUp: (brought: string, missed: number) =>
    `Reconnected: ${brought} of ${count(missed, 'missed event')} received.`,
  caughtUp: (missed: number, lost: number) =>
    `Reconnected: ${count(missed, 'missed event')} received, ${lost === 0 ? 'none' : number(lost)} lost.`,
};
