import { Injectable } from '@nestjs/common';
import type { Json } from '../expressions/index.js';
import { LongValue, type RecordedValue } from '../long-values/index.js';
import { PayloadRepository, placeKey } from '../journal/index.js';
import type { NodeExecution } from './node-execution.js';

/**
 * Maximum total length of the long values in a response, in characters of JSON. Beyond this limit, the response
 * contains the URL of a value instead.
 */
const SHOWN_IN_ALL = 4 * 1024 * 1024;

@Injectable()
export class NodeValues {
  constructor(private readonly payloads: PayloadRepository) {}

  /**
   * Loads the long inputs and outputs of nodes, in order. A value that exceeds the remaining length of the response
   * stays a reference.
   */
  async shown(executionId: string, nodes: readonly NodeExecution[]): Promise<readonly NodeExecution[]> {
    const places = nodes
      .flatMap(({ input, output }) => [input, output])
      .flatMap((value) => (value instanceof LongValue && value.place !== null ? [value.place] : []));
    if (places.length === 0) return nodes;
    const lengths = await this.payloads.lengths(executionId, places);
    let left = SHOWN_IN_ALL;
    const shown = async (value: RecordedValue): Promise<RecordedValue> => {
      if (!(value instanceof LongValue) || value.place === null) return value;
      const length = lengths.get(placeKey(value.place)) ?? Infinity;
      if (length > left) return value;
      left -= length;
      const text = await this.payloads.text(executionId, value.place.sequence, value.place.field);
      return text === undefined ? value : (JSON.parse(text) as Json);
    };
    const rows: NodeExecution[] = [];
    for (const node of nodes)
      rows.push({ ...node, input: await shown(node.input), output: await shown(node.output) });
    return rows;
  }
}
