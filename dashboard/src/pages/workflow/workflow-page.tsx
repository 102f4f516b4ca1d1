import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Pencil, Play } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/index.ts';
import { RunDialog } from '../../shell/run-dialog.tsx';
import { texts } from '../../texts/en/workflow.ts';
import {
  Button,
  buttonClasses,
  ErrorNote,
  PageHeader,
  SkeletonRows,
  StatusBadge,
  type Tab,
  Tabs,
  useShortcut,
  useUrlSearch,
} from '../../ui/index.ts';
import { DefinitionTab } from './definition-tab.tsx';
import { GraphTab } from './graph-tab.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { type LiveWorkflow, liveWorkflowQuery } from './live-workflow.ts';
import { RunsTab } from './runs-tab.tsx';
import { NO_CHANGES, type SettingsDraft, SettingsTab } from './settings-tab.tsx';
import type { DefinitionDraft } from './use-saving.ts';
import { StatusActions } from './status-actions.tsx';
import { VersionsTab } from './versions-tab.tsx';

const CRUMBS = [{ label: texts.workflows, to: '/workflows' }] as const;

export function WorkflowPage() {
  const { id } = useParams({ from: '/inside/workflows/$id' });
  const { data, error, refetch } = useQuery(liveWorkflowQuery(id));
  if (data !== undefined) return <Loaded key={id} live={data} />;
  return (
    <>
      <PageHeader title={texts.workflow} crumbs={CRUMBS} />
      {error === null ? (
        <SkeletonRows />
      ) : (
        <div className="p-5">
          <ErrorNote error={error} title={texts.couldNotLoadWorkflow}>
            <Button onClick={() => void refetch()}>{texts.tryAgain}</Button>
          </ErrorNote>
        </div>
      )}
    </>
  );
}

function Loaded({ live }: { readonly live: LiveWorkflow }) {
  const { workflow } = live;
  const [{ tab = 'graph' }, change] = useUrlSearch();
  const [draft, setDraft] = useState<DefinitionDraft | null>(null);
  const [settings, setSettings] = useState<SettingsDraft>(NO_CHANGES);
  const hasSettings = Object.keys(settings).length > 0;
  const [isRunning, setRunning] = useState(false);
  const may = useMay();
  const mayChange = may('workflows:write');
  const mayRun = may('executions:write');
  const canRun = mayRun && workflow.status === 'active';
  useShortcut('r', texts.runWorkflow, () => setRunning(true), { enabled: canRun });
  const tabs: readonly Tab[] = [
    { id: 'graph', label: texts.graph, content: <GraphTab workflow={workflow} /> },
    {
      id: 'definition',
      label: draft === null ? texts.definition : texts.definitionUnsaved,
      content: <DefinitionTab live={live} draft={draft} onDraft={mayChange ? setDraft : null} />,
    },
    { id: 'runs', label: texts.executions, content: <RunsTab workflowId={workflow.id} /> },
    { id: 'versions', label: texts.versions, content: <VersionsTab live={live} mayRestore={mayChange} /> },
    {
      id: 'settings',
      label: hasSettings ? texts.settingsUnsaved : texts.settings,
      content: <SettingsTab live={live} draft={settings} onDraft={setSettings} mayChange={mayChange} />,
    },
  ];
  return (
    <>
      <PageHeader
        title={workflow.name}
        crumbs={CRUMBS}
        beside={
          <>
            <StatusBadge status={workflow.status} />
            <span className="num text-text-3">{texts.versionTagHeader(workflow.version)}</span>
          </>
        }
        actions={
          <>
            {mayChange && <StatusActions workflow={workflow} />}
            {mayChange && (
              <Link to="/workflows/$id/edit" params={{ id: workflow.id }} className={buttonClasses()}>
                <Pencil size={14} aria-hidden />
                {texts.edit}
              </Link>
            )}
            {mayRun && (
              <Button
                kind="primary"
                icon={<Play size={14} aria-hidden />}
                disabled={!canRun}
                title={canRun ? undefined : texts.activateFirst}
                onClick={() => setRunning(true)}
              >
                {texts.run}
              </Button>
            )}
          </>
        }
      />
      <Tabs
        label={workflow.name}
        tabs={tabs}
        selected={tabs.some(({ id }) => id === tab) ? tab : 'graph'}
        onSelect={(next) => change({ tab: next, offset: undefined })}
      />
      <RunDialog workflow={workflow} open={isRunning} onClose={() => setRunning(false)} />
      <LeaveGuard unsaved={draft !== null || hasSettings} />
    </>
  );
}
