import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowVersionView } from '../../api/index.ts';
import { texts } from '../../texts/en/workflow.ts';
import {
  Button,
  type Column,
  ConfirmDialog,
  Dialog,
  DocsLink,
  EmptyState,
  List,
  Time,
  useListSearch,
  useToast,
} from '../../ui/index.ts';
import { DiffView } from './diff-view.tsx';
import { definitionText, type LiveWorkflow, replaceDefinition, versionsQuery } from './live-workflow.ts';

interface VersionsTabProps {
  readonly live: LiveWorkflow;
  readonly mayRestore: boolean;
}

export function VersionsTab({ live, mayRestore }: VersionsTabProps) {
  const { workflow, etag } = live;
  const search = useListSearch();
  const toast = useToast();
  const [compared, setCompared] = useState<WorkflowVersionView | null>(null);
  const [restored, setRestored] = useState<WorkflowVersionView | null>(null);
  const columns = columnsOf(workflow.version, setCompared, mayRestore ? setRestored : null);
  return (
    <>
      <p className="border-b border-border px-5 py-1">
        <DocsLink page="versions" />
      </p>
      <List
        label={texts.versions}
        noun={texts.versionNoun}
        search={search}
        query={useQuery(versionsQuery(workflow.id, search.page))}
        columns={columns}
        rowKey={({ version }) => String(version)}
        empty={<EmptyState title={texts.noVersionsYet} />}
      />
      {compared !== null && (
        <Dialog
          open
          onClose={() => setCompared(null)}
          title={texts.versionRange(compared.version, workflow.version)}
          actions={<Button onClick={() => setCompared(null)}>{texts.close}</Button>}
        >
          <DiffView
            label={texts.versionRange(compared.version, workflow.version)}
            before={definitionText(compared)}
            after={definitionText(workflow)}
          />
        </Dialog>
      )}
      <ConfirmDialog
        open={restored !== null}
        onClose={() => setRestored(null)}
        title={texts.restoreQuestion(restored?.version ?? '')}
        description={texts.restoreVersionHint(workflow.version + 1, workflow.version)}
        action={texts.restoreAsNewVersion}
        kind="primary"
        onConfirm={async () => {
          if (restored === null) return;
          const { input_schema, nodes, output, config } = restored;
          const { workflow: current } = await replaceDefinition(
            workflow,
            { input_schema, nodes, output, config },
            etag,
          );
          toast(texts.versionRestored(restored.version, current.version));
        }}
      />
    </>
  );
}

function columnsOf(
  liveVersion: number,
  onCompare: (version: WorkflowVersionView) => void,
  onRestore: ((version: WorkflowVersionView) => void) | null,
): readonly Column<WorkflowVersionView>[] {
  return [
    {
      id: 'version',
      header: texts.version,
      cell: ({ version }) => (
        <span className="num">
          {texts.versionCell(
            version,
            version === liveVersion && <span className="ml-2 text-text-3">{texts.live}</span>,
          )}
        </span>
      ),
    },
    { id: 'nodes', header: texts.nodes, align: 'right', wideOnly: true, cell: ({ nodes }) => nodes.length },
    {
      id: 'created',
      header: texts.created,
      wideOnly: true,
      cell: ({ created_at }) => <Time value={created_at} />,
    },
    {
      id: 'actions',
      header: texts.actions,
      hideHeader: true,
      align: 'right',
      cell: (version) =>
        version.version !== liveVersion && (
          <span className="flex gap-2">
            <Button onClick={() => onCompare(version)} aria-label={texts.compareVersion(version.version)}>
              {texts.compare}
            </Button>
            {onRestore !== null && (
              <Button
                needsService
                onClick={() => onRestore(version)}
                aria-label={texts.restoreVersion(version.version)}
              >
                {texts.restore}
              </Button>
            )}
          </span>
        ),
    },
  ];
}
