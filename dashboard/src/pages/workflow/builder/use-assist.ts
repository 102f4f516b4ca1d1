import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiSchemasQuery, type NodeTypeView } from '../../../api/index.ts';
import type { Assist } from '../definition-assist.ts';
import type { ExpressionContext } from '../expression-completions.ts';

/** Data for completion and descriptions in the JSON editor; null while the schemas load. */
export function useAssist(types: readonly NodeTypeView[], expressions: ExpressionContext): Assist | null {
  const { data: named } = useQuery(apiSchemasQuery);
  return useMemo(
    () => (named === undefined ? null : { schemas: { named, types }, expressions }),
    [named, types, expressions],
  );
}
