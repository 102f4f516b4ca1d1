import { count, number } from '../../format/count.ts';

export const texts = {
  allMatching: 'All matching',
  actionsOnAll: 'Actions on all matching executions',
  notWithSearch: 'Clear the search to act on all matching executions. All other filters apply.',
  actions: { cancel: 'Cancel all…', pause: 'Pause all…', resume: 'Resume all…', retry: 'Retry all…' },
  verbs: { cancel: 'Cancel', pause: 'Pause', resume: 'Resume', retry: 'Retry' },
  question: (verb: string, total: number) => `${verb} ${count(total, 'execution')}?`,
  confirm: (verb: string, total: number) => `${verb} ${count(total, 'execution')}`,
  about: {
    cancel:
      'Every unfinished execution that matches the filters is cancelled. Completed nodes keep their results.',
    pause: 'Running nodes finish. No further node starts while the execution is paused.',
    resume: 'Every paused execution that matches the filters continues.',
    retry:
      'Every failed, timed out or cancelled execution that matches the filters is retried from its failed nodes. Executions that were already retried are skipped.',
  },
  counting: 'Counting matching executions…',
  couldNotCount: "Couldn't count the matching executions",
  notNow: 'Not now',
  progressTitle: (verb: string) => `${verb} all matching executions`,
  progress: (processed: number, total: number) => `${number(processed)} of ${number(total)} processed`,
  progressLabel: 'Progress of the bulk job',
  outcome: (succeeded: number, failed: number) => `${number(succeeded)} succeeded, ${number(failed)} failed`,
  statuses: { running: 'Running', completed: 'Completed', cancelled: 'Cancelled', stopped: 'Stopped' },
  continues: 'You can close this window. The job continues in the background.',
  stop: 'Stop the job',
  close: 'Close',
  failures: 'Failures by cause',
  failure: (total: number, code: string) => `${count(total, 'execution')} with the error ${code}`,
  couldNotRead: "Couldn't load the progress of the job",
};
