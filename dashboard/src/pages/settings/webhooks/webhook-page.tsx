import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay, webhookQuery, type WebhookView } from '../../../api/index.ts';
import { number } from '../../../format/index.ts';
import { texts } from '../../../texts/en/settings-webhooks.ts';
import {
  Fact,
  Id,
  LoadFailed,
  PageHeader,
  PendingPage,
  ProgressBar,
  shortId,
  StatusBadge,
  Time,
} from '../../../ui/index.ts';
import { Deliveries } from './deliveries.tsx';
import { SuccessRate } from './success-rate.tsx';
import { WebhookActions } from './webhook-actions.tsx';

const CRUMBS = [{ label: texts.webhooks, to: '/settings/webhooks' }] as const;
/**
 * Refetch interval in milliseconds. The page polls, because the live feed has no events for deliveries of a webhook.
 */
const REFRESH_MS = 3_000;

export function WebhookPage() {
  const { id } = useParams({ from: '/inside/settings/webhooks/$id' });
  return <WebhookPane key={id} id={id} />;
}

function WebhookPane({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({ ...webhookQuery(id), refetchInterval: REFRESH_MS });
  /** Number of events that were still to be sent when the replay started; null without a replay. */
  const [replayed, setReplayed] = useState<number | null>(null);
  const mayWrite = useMay()('webhooks:write');
  if (data === undefined)
    return (
      <PendingPage
        title={texts.webhookTitle(shortId(id))}
        crumbs={CRUMBS}
        error={error}
        couldNotLoad={texts.couldNotLoadWebhook}
        onRetry={refetch}
      />
    );
  return (
    <>
      <PageHeader
        title={hostOf(data.webhook.url)}
        crumbs={CRUMBS}
        beside={<StatusBadge status={data.webhook.status} />}
        actions={mayWrite && <WebhookActions {...data} onReplay={setReplayed} />}
      />
      {error !== null && <LoadFailed error={error} title={texts.couldNotLoadWebhook} onRetry={refetch} />}
      {data.webhook.status_reason !== null && (
        <p className="border-b border-border bg-failed-soft px-5 py-2 text-failed">
          {data.webhook.status_reason}
        </p>
      )}
      <Facts webhook={data.webhook} />
      {replayed !== null && <ReplayProgress total={replayed} left={data.webhook.lag_events} />}
      <Deliveries id={id} mayWrite={mayWrite} />
    </>
  );
}

function Facts({ webhook }: { readonly webhook: WebhookView }) {
  return (
    <dl className="flex flex-wrap gap-x-7 gap-y-2 border-b border-border px-5 py-3">
      <Fact name={texts.url}>
        <span className="mono wrap-anywhere">{webhook.url}</span>
      </Fact>
      {webhook.description !== '' && <Fact name={texts.description}>{webhook.description}</Fact>}
      <Fact name={texts.events}>
        <span className="mono wrap-anywhere">{webhook.events.join(' ')}</span>
      </Fact>
      {webhook.filter !== null && (
        <Fact name={texts.filter}>
          <code className="mono wrap-anywhere">{webhook.filter}</code>
        </Fact>
      )}
      <Fact name={texts.lag}>{number(webhook.lag_events)}</Fact>
      <Fact name={texts.successLastDay}>
        <SuccessRate id={webhook.id} />
      </Fact>
      <Fact name={texts.failingSince}>
        <Time value={webhook.failing_since} absent="–" />
      </Fact>
      <Fact name={texts.delivered}>{number(webhook.delivered_total)}</Fact>
      <Fact name={texts.failed}>{number(webhook.failed_total)}</Fact>
      <Fact name={texts.id}>
        <Id value={webhook.id} of={texts.theWebhook} />
      </Fact>
    </dl>
  );
}

function ReplayProgress({ total, left }: { readonly total: number; readonly left: number }) {
  const sent = Math.max(0, total - left);
  return (
    <div className="border-b border-border px-5 py-3">
      <p className="mb-1.5 text-text-2">
        {left === 0 ? texts.replayFinished : texts.replaying(number(sent), number(total))}
      </p>
      <ProgressBar label={texts.replay} fraction={total === 0 ? 1 : sent / total} />
    </div>
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
