import { EmptyState, PageHeader } from '../../../ui/index.ts';

export function SecretsPage() {
  return (
    <>
      <PageHeader title="Secrets" />
      <EmptyState title="This version keeps no secrets">
        Workflows take what they need as input, or read it from where it is kept.
      </EmptyState>
    </>
  );
}
