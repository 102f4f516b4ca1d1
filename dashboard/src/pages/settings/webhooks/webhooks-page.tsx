import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type NewWebhookView, useMay, webhooksQuery, type WebhookView } from '../../../api/index.ts';
import { number } from '../../../format/index.ts';
import { useProject } from '../../../shell/project.ts';
import { texts } from '../../../texts/en/settings-webhooks.ts';
import {
  Button,
  type Column,
  EmptyState,
  type Filter,
  ListPage,
  NameText,
  StatusBadge,
  STATUSES,
  Time,
  useListSearch,
} from '../../../ui/index.ts';
import { SecretReveal } from './secret-reveal.tsx';
import { SuccessRate } from './success-rate.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

const WEBHOOK_STATUSES: readonly WebhookView['status'][] = ['active', 'paused', 'disabled'];
/**
 * Refetch interval in milliseconds. The page polls, because the lag of a webhook changes without an action of the user.
 */
const REFRESH_MS = 10_000;

const FILTERS: readonly Filter[] = [
  { kind: 'text', name: 'q', label: texts.searchByNameOrId },
  {
    kind: 'choice',
    name: 'status',
    label: texts.status,
    options: WEBHOOK_STATUSES.map((value) => ({ value, label: STATUSES[value].word })),
  },
];

const COLUMNS: readonly Column<WebhookView>[] = [
  { id: 'url', header: texts.url, cell: ({ url }) => <NameText name={url} /> },
  { id: 'status', header: texts.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    id: 'description',
    header: texts.description,
    wideOnly: true,
    cell: ({ description }) => <NameText name={description} />,
  },
  { id: 'rate', header: texts.successLastDay, wideOnly: true, cell: ({ id }) => <SuccessRate id={id} /> },
  {
    id: 'failing',
    header: texts.failingSince,
    wideOnly: true,
    cell: ({ failing_since }) => <Time value={failing_since} absent="–" />,
  },
  {
    id: 'lag',
    header: texts.lag,
    align: 'right',
    cell: ({ lag_events }) => <span className="num">{number(lag_events)}</span>,
  },
];

export function WebhooksPage() {
  const { projectId } = useProject();
  const search = useListSearch('q', 'status');
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<NewWebhookView>();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...webhooksQuery({
      ...search.page,
      project_id: projectId,
      q: search.filters['q'],
      status: WEBHOOK_STATUSES.find((each) => each === search.filters['status']),
    }),
    refetchInterval: REFRESH_MS,
  });
  const createButton = useMay()('webhooks:write') && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      {texts.createWebhook}
    </Button>
  );
  return (
    <>
      <ListPage
        title={texts.webhooks}
        label={texts.webhooks}
        noun={texts.webhookNoun}
        actions={createButton}
        filters={FILTERS}
        search={search}
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/settings/webhooks/$id', params: { id } })}
        empty={
          <EmptyState title={texts.noWebhooksYet} action={createButton} docs="webhooks">
            {texts.purpose}
          </EmptyState>
        }
      />
      {creating && (
        <WebhookDialog
          onClose={() => setCreating(false)}
          onDone={({ data: webhook }) => {
            setCreating(false);
            setMade(webhook);
            void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
          }}
        />
      )}
      {made?.secret !== undefined && (
        <SecretReveal
          secret={made.secret}
          onClose={() => {
            setMade(undefined);
            void navigate({ to: '/settings/webhooks/$id', params: { id: made.id } });
          }}
        />
      )}
    </>
  );
}
