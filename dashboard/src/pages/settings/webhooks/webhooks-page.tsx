import { EmptyState, PageHeader } from '../../../ui/index.ts';

export function WebhooksPage() {
  return (
    <>
      <PageHeader title="Webhooks" />
      <EmptyState title="This version sends no webhooks">
        Follow events over the WebSocket at <code className="mono">/ws</code>, or as a stream at{' '}
        <code className="mono">/v1/events</code>.
      </EmptyState>
    </>
  );
}
