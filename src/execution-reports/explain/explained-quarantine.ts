import { HANDED_OVER, HOLDER_LOST } from '../../execution-store/index.js';
import { recoveriesInARow } from '../../journal/index.js';
import { type Explanation, type ExplanationFacts, lastEventAt, explanationOf } from './explanation-facts.js';

/**
 * Explains an execution that waits in the crash quarantine of the process that claimed the execution. Null if the
 * execution is not quarantined.
 */
export function quarantined(facts: ExplanationFacts): Explanation | null {
  const { execution, events, quarantine } = facts;
  const { statusReason } = execution.progress;
  // The status reason does not change during the quarantine, because only the next commit of the execution changes the
  // reason.
  if (execution.lease.owner === null || (statusReason !== HOLDER_LOST && statusReason !== HANDED_OVER))
    return null;
  const recoveries = recoveriesInARow(events);
  if (!quarantine.isQuarantined(recoveries)) return null;
  const { maxRecoveries } = quarantine;
  return explanationOf(facts, {
    cause: 'crash_quarantine',
    message: `The execution was recovered ${recoveries} times in a row after crashes of its process, so it waits in the crash quarantine.`,
    since: lastEventAt(facts),
    frees: {
      how: 'The turn of this execution: only a few quarantined executions run together until the culprit of the crashes is found.',
      at: null,
    },
    details: { recoveries, max_recoveries: maxRecoveries },
  });
}
