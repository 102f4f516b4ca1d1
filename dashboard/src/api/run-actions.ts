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

export const runActions = {
  cancel: (id: string) => answer(cancelExecution({ path: { id }, body: {} })),
  pause: (id: string) => answer(pauseExecution({ path: { id }, body: {} })),
  resume: (id: string) => answer(resumeExecution({ path: { id } })),
  /** @param from `failed`, `start` or a node's id. Results of nodes before this point are reused. */
  retry: (id: string, from: string) => answer(retryRetry({ path: { id }, body: { from } })),
  /**
   * Approves or rejects an approval as the signed-in user.
   * @param token last part of an `approve_url` or a `reject_url`; the token contains the decision
   */
  decide: (token: string, comment: string) =>
    answer(
      decideApprovalAs({ path: { token }, body: comment.trim() === '' ? {} : { comment: comment.trim() } }),
    ),
  signal: (id: string, name: string, payload: unknown) =>
    answer(signalExecution({ path: { id, name }, body: { payload } })),
  /**
   * Starts another execution of the same workflow. The new execution is a retry of the old one if the old one has
   * ended, because only ended executions can be retried.
   */
  replay: ({ id, workflow_id }: ExecutionView, isEnded: boolean, version: number, input: unknown) =>
    isEnded
      ? answer(retryRetry({ path: { id }, body: { from: 'start', version, input } }))
      : answer(startExecution({ path: { id: workflow_id }, body: { version, input } })),
  bulk: (action: 'cancel' | 'retry', ids: readonly string[]) =>
    answer(runBulk({ body: { action, filter: { ids: [...ids] } } })),
};
