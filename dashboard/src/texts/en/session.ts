import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

/** Texts of the page of one session. */
export const texts = {
  sessions: 'Sessions',
  sessionTitle: (id: string) => `Session ${id}`,
  closeSession: 'Close session',
  couldNotLoadSession: "Couldn't load the session.",
  serial: 'One at a time',
  parallel: 'Parallel',
  theExternalId: 'the external ID',
  theSession: 'the session',
  session: 'Session',
  events: 'Events',
  executions: 'Executions',
  state: 'State',
  stateVersion: (version: ReactNode, expression: ReactNode) =>
    rich`Version ${version}. Executions read it as ${expression}.`,
  stateData: 'state',
  metadata: 'Metadata',
  metadataData: 'metadata',
  closeQuestion: (title: string) => `Close “${title}”?`,
  closeHint: 'No more executions can be started in it. Unfinished executions continue.',
  sessionClosed: 'Session closed',
  couldNotLoadPast: "Couldn't load earlier events. New events are shown.",
  eventsPurpose: 'Events of all executions in this session appear here.',
  noEventsYet: 'No events yet',
  couldNotLoadExecutions: "Couldn't load the executions.",
  executionsPurpose: 'Run a workflow with the ID of this session.',
  noExecutionsYet: 'No executions yet',
  running: 'Running',
  failed: 'Failed',
  lastActivity: 'Last activity',
  expires: 'Expires',
  executionOrder: 'Execution order',
  externalId: 'External ID',
  id: 'ID',
};
