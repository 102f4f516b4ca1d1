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
  resumeWaiting: (waiting: string) => `Resume (new events: ${waiting})`,
  cutConnection: 'Cut my connection',
  cutHint: 'You can cut the connection after the first event.',
  noGaps: 'no gaps',
  missing: (gaps: number) => `${count(gaps, 'event')} missing`,
  summary: (received: number, executions: number, gaps: ReactNode) =>
    rich`${count(received, 'event')} from ${count(executions, 'execution')}, ${gaps}`,
  matchingEventsAppear: 'Matching events appear here as they happen.',
  noEventsMatch: 'No events match the filters',
  clearFilters: 'Clear filters',
  eventsAppear: 'Events of all executions appear here as they happen.',
  waitingForEvents: 'Waiting for events',
  couldNotCountMissed: "Couldn't count the events that you missed while the connection was cut.",
  connectionCut: 'The connection is cut. The dashboard reconnects in 3 seconds. Executions continue.',
  catchingUp: (brought: string, missed: number) =>
    `Reconnected. Missed events: ${number(missed)}. Received so far: ${brought}.`,
  caughtUp: (missed: number, lost: number) =>
    `Reconnected. Missed events received: ${number(missed)}. Events lost: ${lost === 0 ? 'none' : number(lost)}.`,
};
