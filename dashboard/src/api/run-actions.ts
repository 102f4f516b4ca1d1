import {
  answer,
  cancelExecution,
  decideApprovalAs,
  type ExecutionView,
  pauseExecution,
  resumeExecution,
  retryRetry,
  runBulk,
  signalExecution,
  startExecution,
} from './client.ts';

/** What can be done to a run. Each throws an `ApiError`. */
export const runActions = {
  cancel: (id: string) => answer(cancelExecution({ path: { id }, body: {} })),
  pause: (id: string) => answer(pauseExecution({ path: { id }, body: {} })),
  resume: (id: string) => answer(resumeExecution({ path: { id } })),
  /** @param from `failed`, `start` or a node's id; what is done before it is taken over */
  retry: (id: string, from: string) => answer(retryRetry({ path: { id }, body: { from } })),
  /** Decides in the name of the signed in person. @param token the end of an `approve_url` or a `reject_url` */
  decide: (token: string) => answer(decideApprovalAs({ path: { token } })),
  signal: (id: string, name: string, payload: unknown) =>
    answer(signalExecution({ path: { id, name }, body: { payload } })),
  /** Begins the same again, with the same input and version, whatever became of the run. */
  replay: ({ workflow_id, workflow_version, input }: ExecutionView) =>
    answer(startExecution({ path: { id: workflow_id }, body: { version: workflow_version, input } })),
  bulk: (action: 'cancel' | 'retry', ids: readonly string[]) =>
    answer(runBulk({ body: { action, filter: { ids: [...ids] } } })),
};
