import { compileExpression, type Expression, ExpressionError } from '../expressions/index.js';
import { EVENT_TYPES } from '../execution-events/index.js';
import type { Envelope } from '../journal/index.js';
import type { Webhook } from './webhook.js';

const WILDCARD = '.*';

/** Whether a pattern (an event type, or the first parts of a type and `.*`) matches at least one event type. */
export function isEventPattern(pattern: string): boolean {
  return EVENT_TYPES.some((type) => matchesPattern(pattern, type));
}

export function matchesPattern(pattern: string, type: string): boolean {
  return pattern.endsWith(WILDCARD) ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}

/**
 * Compiles the filter of a webhook: a CEL condition over the variable `event`.
 * @throws ExpressionSyntaxError
 */
export function compileFilter(source: string): Expression {
  return compileExpression(source, ['event']);
}

export class EventSelection {
  private readonly filter: Expression | null;
  private readonly workflowIds: ReadonlySet<string> | null;

  constructor(private readonly webhook: Pick<Webhook, 'events' | 'workflowIds' | 'filter'>) {
    this.filter = webhook.filter === null ? null : compileFilter(webhook.filter);
    this.workflowIds = webhook.workflowIds === null ? null : new Set(webhook.workflowIds);
  }

  /**
   * Whether the workflow and type of an event match the webhook. `passes` checks the filter later, because the filter
   * needs the whole envelope.
   */
  mayAccept(workflowId: string, type: string): boolean {
    if (this.workflowIds?.has(workflowId) === false) return false;
    return this.webhook.events.some((pattern) => matchesPattern(pattern, type));
  }

  /**
   * Whether an event matches the filter of the webhook. If the evaluation fails, for example for a missing field, the
   * event is not selected.
   */
  passes(envelope: Envelope): boolean {
    if (this.filter === null) return true;
    try {
      return this.filter.evaluate({ event: envelope }) === true;
    } catch (error) {
      if (error instanceof ExpressionError) return false;
      throw error;
    }
  }
}
