/**
 * Returns the key of a node's state in its execution: `call`, or `each[3].call` in the fourth iteration of the loop
 * `each`.
 */
export function stateKey(nodeId: string, of: string | null = null, index = 0): string {
  return of === null ? nodeId : `${of}[${index}].${nodeId}`;
}
