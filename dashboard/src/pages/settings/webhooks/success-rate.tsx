import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { webhookDeliveriesQuery } from '../../../api/index.ts';
import { percent } from '../../../format/index.ts';

const DAY_MS = 86_400_000;

export function SuccessRate({ id }: { readonly id: string }) {
  const [after] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const all = useQuery(webhookDeliveriesQuery(id, { limit: 1, created_after: after }));
  const delivered = useQuery(
    webhookDeliveriesQuery(id, { limit: 1, created_after: after, status: 'delivered' }),
  );
  const total = all.data?.pagination.total;
  const arrived = delivered.data?.pagination.total;
  if (total === undefined || arrived === undefined || total === 0)
    return <span className="text-text-3">–</span>;
  return <span className="num">{percent(roundedDown(Math.min(arrived, total) / total))}</span>;
}

/** Rounds a rate down to 0.1%, so that a displayed rate of 100% means that no delivery failed. */
function roundedDown(share: number): number {
  return Math.floor(share * 1_000) / 1_000;
}
