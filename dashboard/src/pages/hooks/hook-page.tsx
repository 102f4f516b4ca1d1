import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { hookQuery, type HookView, useMay } from '../../api/index.ts';
import { useWorkflowName } from '../../shell/workflow-names.ts';
import { texts } from '../../texts/en/hooks.ts';
import {
  Id,
  JsonTree,
  LoadFailed,
  PageHeader,
  PendingPage,
  shortId,
  StatusBadge,
  Tabs,
  Time,
  useUrlSearch,
} from '../../ui/index.ts';
import { DeliveryList } from './delivery-list.tsx';
import { HookActions } from './hook-actions.tsx';
import { actionText, VERIFICATIONS } from './hook-form.ts';

const CRUMBS = [{ label: texts.hooks, to: '/hooks' }] as const;
/** Refetch interval in milliseconds. The page polls, because the live feed has no events for requests to a hook. */
const REFRESH_MS = 3_000;

export function HookPage() {
  const { id } = useParams({ from: '/inside/hooks/$id' });
  return <HookPane key={id} id={id} />;
}

function HookPane({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({ ...hookQuery(id), refetchInterval: REFRESH_MS });
  const workflow = useWorkflowName(data?.hook.workflow_id);
  const [search, change] = useUrlSearch();
  const mayWrite = useMay()('hooks:write');
  if (data === undefined || workflow.isPending)
    return (
      <PendingPage
        title={texts.hookTitle(shortId(id))}
        crumbs={CRUMBS}
        error={error}
        couldNotLoad={texts.couldNotLoadHook}
        onRetry={refetch}
      />
    );
  return (
    <>
      <PageHeader
        title={data.hook.name === '' ? texts.hookTitle(shortId(id)) : data.hook.name}
        crumbs={CRUMBS}
        beside={<StatusBadge status={data.hook.status} />}
        actions={mayWrite && <HookActions {...data} />}
      />
      {error !== null && <LoadFailed error={error} title={texts.couldNotLoadHook} onRetry={refetch} />}
      <Facts hook={data.hook} workflowName={workflow.name} />
      <Tabs
        label={texts.hook}
        selected={search['tab'] ?? 'deliveries'}
        onSelect={(tab) => change({ tab: tab === 'deliveries' ? undefined : tab })}
        tabs={[
          { id: 'deliveries', label: texts.deliveries, content: <DeliveryList id={id} /> },
          {
            id: 'templates',
            label: texts.templates,
            content: (
              <div className="max-w-3xl p-5">
                <JsonTree label={texts.templatesWord} value={templatesOf(data.hook)} />
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

function templatesOf({ input, deduplication, signal }: HookView): object {
  return { input, deduplication, ...(signal === null ? {} : { signal }) };
}

interface FactsProps {
  readonly hook: HookView;
  readonly workflowName: string | undefined;
}

function Facts({ hook, workflowName }: FactsProps) {
  const { verification, workflow_id: workflowId } = hook;
  return (
    <dl className="flex flex-wrap gap-x-7 gap-y-2 border-b border-border px-5 py-3">
      <Fact name={texts.action}>{actionText(hook)}</Fact>
      {workflowId !== null && (
        <Fact name={texts.workflow}>
          <Link to="/workflows/$id" params={{ id: workflowId }} className="text-accent hover:underline">
            {workflowName ?? shortId(workflowId)}
          </Link>
        </Fact>
      )}
      <Fact name={texts.url}>
        <code className="mono wrap-anywhere">{hook.url_prefix}…</code>
      </Fact>
      <Fact name={texts.methods}>{hook.methods.join(', ')}</Fact>
      <Fact name={texts.verification}>{VERIFICATIONS.find(([type]) => type === verification.type)?.[1]}</Fact>
      {verification.secret !== undefined && (
        <Fact name={texts.secret}>
          <code className="mono">{verification.secret}</code>
        </Fact>
      )}
      <Fact name={texts.lastDelivery}>
        <Time value={hook.last_delivery_at} absent={texts.never} />
      </Fact>
      <Fact name={texts.id}>
        <Id value={hook.id} of={texts.theHook} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="label">{name}</dt>
      <dd className="num font-medium">{children}</dd>
    </div>
  );
}
