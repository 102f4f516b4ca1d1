import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import {
  answer,
  webhookDeliveriesQuery,
  deliveryQuery,
  type WebhookDeliveryView,
  redeliverWebhookEvent,
} from '../../../api/index.ts';
import { absoluteTime } from '../../../format/index.ts';
import { texts } from '../../../texts/en/settings-webhooks.ts';
import {
  Button,
  CodeBlock,
  type Column,
  Dialog,
  EmptyState,
  type Filter,
  FilterBar,
  List,
  LoadFailed,
  messageOf,
  shortId,
  SkeletonRows,
  StatusBadge,
  STATUSES,
  Time,
  useListSearch,
  useSubmit,
} from '../../../ui/index.ts';

const DELIVERY_STATUSES: readonly WebhookDeliveryView['status'][] = ['delivered', 'retrying', 'failed'];
const REFRESH_MS = 3_000;

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: texts.status,
    options: DELIVERY_STATUSES.map((value) => ({ value, label: STATUSES[value].word })),
  },
];

/** List of the deliveries of a webhook. Each delivery can be opened to show its request and its attempts. */
export function Deliveries({ id, mayWrite }: { readonly id: string; readonly mayWrite: boolean }) {
  const search = useListSearch('status');
  const [opened, setOpened] = useState<string>();
  const query = useQuery({
    ...webhookDeliveriesQuery(id, {
      ...search.page,
      status: DELIVERY_STATUSES.find((each) => each === search.filters['status']),
    }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <section aria-label={texts.deliveries}>
      <FilterBar filters={FILTERS} search={search} />
      <List
        label={texts.deliveries}
        noun={texts.deliveryNoun}
        query={query}
        search={search}
        columns={columnsOf(setOpened)}
        rowKey={(delivery) => delivery.id}
        empty={
          <EmptyState title={texts.noDeliveriesYet} docs="webhooks">
            {texts.deliveriesPurpose}
          </EmptyState>
        }
      />
      {opened !== undefined && (
        <DeliveryDialog webhookId={id} id={opened} mayWrite={mayWrite} onClose={() => setOpened(undefined)} />
      )}
    </section>
  );
}

function columnsOf(open: (id: string) => void): readonly Column<WebhookDeliveryView>[] {
  return [
    {
      id: 'event',
      header: texts.event,
      cell: ({ id, event_type }) => (
        <button
          type="button"
          className="mono text-left text-accent wrap-anywhere hover:underline"
          onClick={() => open(id)}
        >
          {event_type.split('.').map((part, index) => (
            <Fragment key={part}>
              {/* The element `<wbr>` lets a narrow cell break the event type after each dot. */}
              {index > 0 && (
                <>
                  .<wbr />
                </>
              )}
              {part}
            </Fragment>
          ))}
        </button>
      ),
    },
    { id: 'status', header: texts.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      id: 'response',
      header: texts.response,
      wideOnly: true,
      cell: ({ attempts }) => <span className="num">{attempts.at(-1)?.status_code ?? texts.none}</span>,
    },
    {
      id: 'attempts',
      header: texts.attempts,
      align: 'right',
      wideOnly: true,
      cell: ({ attempts }) => <span className="num">{attempts.length}</span>,
    },
    {
      id: 'execution',
      header: texts.execution,
      wideOnly: true,
      cell: ({ execution_id }) =>
        execution_id === null ? (
          <span className="text-text-3">–</span>
        ) : (
          <Link
            to="/executions/$id"
            params={{ id: execution_id }}
            className="mono text-accent hover:underline"
          >
            {shortId(execution_id)}
          </Link>
        ),
    },
    {
      id: 'at',
      header: texts.lastAttempt,
      align: 'right',
      cell: ({ updated_at }) => <Time value={updated_at} />,
    },
  ];
}

interface DeliveryDialogProps {
  readonly webhookId: string;
  readonly id: string;
  readonly mayWrite: boolean;
  readonly onClose: () => void;
}

function DeliveryDialog({ webhookId, id, mayWrite, onClose }: DeliveryDialogProps) {
  const { data, error, refetch } = useQuery(deliveryQuery(webhookId, id));
  const queryClient = useQueryClient();
  const submission = useSubmit();
  const redeliver = (): void => {
    void submission
      .send(async () => {
        await answer(redeliverWebhookEvent({ path: { id: webhookId, delivery_id: id } }));
      })
      .then(() => queryClient.invalidateQueries({ queryKey: ['webhooks'] }));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={data?.event_type ?? texts.delivery}
      actions={
        mayWrite && (
          <Button needsService kind="primary" busy={submission.busy} onClick={redeliver}>
            {texts.sendAgain}
          </Button>
        )
      }
    >
      {error !== null && <LoadFailed error={error} title={texts.couldNotLoadDelivery} onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonRows />}
      {data !== undefined && (
        <div className="flex flex-col gap-4">
          {submission.note !== null && (
            <p role="alert" className="text-failed">
              {messageOf(submission.note)}
            </p>
          )}
          <div>
            <h3 className="label mb-1">{texts.attempts}</h3>
            <ol aria-label={texts.attempts} className="flex flex-col gap-2">
              {data.attempts.map(({ at, status_code, error: fault, response_body, duration_ms }, index) => (
                <li key={`${at} ${index}`}>
                  <p className="num">{texts.attemptLine(absoluteTime(at), status_code, duration_ms)}</p>
                  {fault !== null && <p className="text-failed wrap-anywhere">{fault}</p>}
                  {response_body !== null && response_body !== '' && (
                    <CodeBlock label={texts.responseNumber(index + 1)} code={response_body} />
                  )}
                </li>
              ))}
            </ol>
            {data.next_attempt_at !== null && (
              <p className="mt-1 text-text-2">{texts.nextAttempt(absoluteTime(data.next_attempt_at))}</p>
            )}
          </div>
          <div>
            <h3 className="label mb-1">{texts.request}</h3>
            {data.request === null ? (
              <p className="text-text-2">{texts.eventDeleted}</p>
            ) : (
              <div className="flex flex-col gap-2">
                <CodeBlock
                  label={texts.requestHeaders}
                  code={Object.entries(data.request.headers)
                    .map(([name, value]) => `${name}: ${value}`)
                    .join('\n')}
                />
                <CodeBlock label={texts.requestBody} code={data.request.body} />
              </div>
            )}
          </div>
        </div>
      )}
    </Dialog>
  );
}
