import { HANDED_OVER, HOLDER_LOST } from '../../execution-store/index.js';
import { recoveriesInARow } from '../../journal/index.js';
import { type Explanation, type ExplanationFacts, lastEventAt, told } from './explanation-facts.js';

/**
 * Explains a claimed execution that waits in the crash quarantine after consecutive recoveries. Null if it is not
 * quarantined.
 */
export function quarantined(facts: ExplanationFacts): Explanation | null {
  const { execution, events, quarantine } = facts;
  const { statusReason } = execution.progress;
  // The status reason stays until the first commit of the run records the recovery.
  if (execution.lease.owner === null || (statusReason !== HOLDER_LOST && statusReason !== HANDED_OVER))
    return null;
  const recoveries = recoveriesInARow(events);
  if (!quarantine.isQuarantined(recoveries)) return null;
  const { maxRecoveries } = quarantine;
  return told(facts, {
    cause: 'crash_quarantine',
    message: `Its process crashed and it was recovered ${recoveries} times in a row, so it waits for its turn in the crash quarantine.`,
    since: lastEventAt(facts),
    frees: {
      how: 'Its turn: quarantined executions run few at once until the one that crashes the process is found.',
      at: null,
    },
    details: { recoveries, max_recoveries: maxRecoveries },
  });
}
