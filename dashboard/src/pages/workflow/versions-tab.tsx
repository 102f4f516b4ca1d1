import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowVersionView } from '../../api/index.ts';
import {
  Button,
  type Column,
  ConfirmDialog,
  Dialog,
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
      <List
        label="Versions"
        noun={['version', 'versions']}
        search={search}
        query={useQuery(versionsQuery(workflow.id, search.page))}
        columns={columns}
        rowKey={({ version }) => String(version)}
        empty={<EmptyState title="No versions yet" />}
      />
      {compared !== null && (
        <Dialog
          open
          onClose={() => setCompared(null)}
          title={`From version ${compared.version} to ${workflow.version}`}
          actions={<Button onClick={() => setCompared(null)}>Close</Button>}
        >
          <DiffView
            label={`From version ${compared.version} to ${workflow.version}`}
            before={definitionText(compared)}
            after={definitionText(workflow)}
          />
        </Dialog>
      )}
      <ConfirmDialog
        open={restored !== null}
        onClose={() => setRestored(null)}
        title={`Restore version ${restored?.version ?? ''}?`}
        description={`It becomes version ${workflow.version + 1}; version ${workflow.version} stays in the list.`}
        action="Restore as new version"
        kind="primary"
        onConfirm={async () => {
          if (restored === null) return;
          const { input_schema, nodes, output, config } = restored;
          const { version } = await replaceDefinition(
            workflow,
            { input_schema, nodes, output, config },
            etag,
          );
          toast(`Version ${restored.version} is live again, as version ${version}`);
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
      header: 'Version',
      cell: ({ version }) => (
        <span className="num">
          v{version}
          {version === liveVersion && <span className="ml-2 text-text-3">live</span>}
        </span>
      ),
    },
    { id: 'nodes', header: 'Nodes', align: 'right', wideOnly: true, cell: ({ nodes }) => nodes.length },
    {
      id: 'created',
      header: 'Created',
      wideOnly: true,
      cell: ({ created_at }) => <Time value={created_at} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'right',
      cell: (version) =>
        version.version !== liveVersion && (
          <span className="flex gap-2">
            <Button onClick={() => onCompare(version)} aria-label={`Compare version ${version.version}`}>
              Compare
            </Button>
            {onRestore !== null && (
              <Button
                needsService
                onClick={() => onRestore(version)}
                aria-label={`Restore version ${version.version}`}
              >
                Restore
              </Button>
            )}
          </span>
        ),
    },
  ];
}
