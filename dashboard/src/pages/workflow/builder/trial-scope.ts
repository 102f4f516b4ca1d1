import type { NodeDto } from '../../../api/index.ts';
import { referencesOf } from './definition.ts';

type Values = Readonly<Record<string, unknown>>;

export function trialScope(node: NodeDto, isInLoop: boolean, last: Values | null): Values {
  const outputs = isRecord(last?.['nodes']) ? last['nodes'] : {};
  const read = [...referencesOf(node)].map((id) => [id, outputs[id] ?? { output: null }] as const);
  return {
    input: last?.['input'] ?? {},
    ...(read.length === 0 ? {} : { nodes: Object.fromEntries(read) }),
    ...(isInLoop ? { item: null, index: 0 } : {}),
  };
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
