import { count } from '../../format/count.ts';

export const texts = {
  title: 'Failures',
  failuresByCause: 'Failures by cause',
  window: 'Time window',
  windows: { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
  couldNotLoad: "Couldn't load the failures",
  noFailures: 'No failures',
  nothingFailed: 'No execution failed or timed out in this time window.',
  error: 'Error',
  workflow: 'Workflow',
  node: 'Node',
  noNode: 'None',
  count: 'Count',
  firstSeen: 'First seen',
  lastSeen: 'Last seen',
  summary: (failures: number, causes: number) =>
    `${count(failures, 'failed execution')} in ${count(causes, 'group')}`,
  newestOnly: 'Only the newest 10,000 failed executions are grouped.',
};
