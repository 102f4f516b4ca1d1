import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  answer,
  type ApiKeyOnWire,
  changeKey,
  createKey,
  deleteKey,
  keysQuery,
  type NewApiKeyOnWire,
  projectsQuery,
  useMay,
} from '../../../api/index.ts';
import { count, relativeTime, useNow } from '../../../format/index.ts';
import {
  Button,
  classes,
  type Column,
  ConfirmDialog,
  EmptyState,
  IconButton,
  ListPage,
  Menu,
  MenuItem,
  MenuSeparator,
  NameText,
  Time,
  Tooltip,
  useListSearch,
  useShortcut,
  useToast,
} from '../../../ui/index.ts';
import { accessOf, PRESETS } from './key-access.ts';
import { expiryState } from './key-expiry.ts';
import { ENVIRONMENTS, KeyForm } from './key-form.tsx';
import { KeyReveal } from './key-reveal.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

/** The open dialog. */
type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate' | 'delete'; readonly key: ApiKeyOnWire }
  | { readonly kind: 'reveal'; readonly name: string; readonly secret: string; readonly note?: string };

export function ApiKeysPage() {
  const search = useListSearch('environment', 'project');
  const environment = ENVIRONMENTS.find(({ value }) => value === search.filters['environment'])?.value;
  const query = useQuery(
    keysQuery({ ...search.page, order: 'desc', environment, project_id: search.filters['project'] }),
  );
  const { data: projects } = useQuery(projectsQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  const close = (): void => setOpen(null);
  const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['keys'] });
  const mayChange = useMay()('keys:write');
  useShortcut('n', 'Create New Key', () => setOpen({ kind: 'create' }), { enabled: mayChange });
  const reveal = (key: NewApiKeyOnWire, note?: string): void => {
    void readAgain();
    if (key.key === undefined) close();
    else
      setOpen({ kind: 'reveal', name: key.name, secret: key.key, ...(note === undefined ? {} : { note }) });
  };
  const createButton = mayChange && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setOpen({ kind: 'create' })}>
      Create New Key
    </Button>
  );
  const nameOfProject = (id: string | null): string =>
    id === null ? 'All' : (projects?.data.find((project) => project.id === id)?.name ?? id);
  return (
    <>
      <ListPage
        title="API Keys"
        label="API Keys"
        noun={['key', 'keys']}
        actions={createButton}
        search={search}
        filters={[
          { kind: 'choice', name: 'environment', label: 'Environment', options: ENVIRONMENTS },
          {
            kind: 'choice',
            name: 'project',
            label: 'Project',
            options: (projects?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
        query={query}
        columns={[
          ...COLUMNS,
          {
            id: 'project',
            header: 'Project',
            wideOnly: true,
            cell: ({ project_id }) => nameOfProject(project_id),
          },
          ...LATER_COLUMNS,
          ...(mayChange ? [actionsColumn(setOpen)] : []),
        ]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No keys yet" action={createButton}>
            Programs call the service with a key. It is shown once, when you create it.
          </EmptyState>
        }
      />
      {open?.kind === 'create' && (
        <KeyForm
          changed={null}
          onClose={close}
          onSubmit={(body) => answer(createKey({ body }))}
          onDone={reveal}
        />
      )}
      {open?.kind === 'edit' && (
        <KeyForm
          changed={open.key}
          onClose={close}
          onSubmit={(body) => answer(changeKey({ path: { id: open.key.id }, body }))}
          onDone={() => {
            close();
            toast('Key changed');
            void readAgain();
          }}
        />
      )}
      {open?.kind === 'rotate' && <RotateDialog replaced={open.key} onClose={close} onDone={reveal} />}
      {open?.kind === 'reveal' && (
        <KeyReveal name={open.name} secret={open.secret} note={open.note} onClose={close} />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          open
          onClose={close}
          title={`Delete “${open.key.name}”?`}
          description={<DeleteWarning apiKey={open.key} />}
          action="Delete key"
          onConfirm={async () => {
            await answer(deleteKey({ path: { id: open.key.id } }));
            toast('Key deleted');
            void readAgain();
          }}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<ApiKeyOnWire>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <NameText name={name} /> },
  {
    id: 'key',
    header: 'Key',
    cell: ({ prefix, last_four }) => (
      <code className="mono whitespace-nowrap">{`${prefix}…${last_four}`}</code>
    ),
  },
  { id: 'access', header: 'Scopes', wideOnly: true, cell: (key) => <AccessCell apiKey={key} /> },
];

const LATER_COLUMNS: readonly Column<ApiKeyOnWire>[] = [
  {
    id: 'environment',
    header: 'Environment',
    wideOnly: true,
    cell: ({ environment }) => ENVIRONMENTS.find(({ value }) => value === environment)?.label,
  },
  {
    id: 'addresses',
    header: 'Addresses',
    wideOnly: true,
    cell: ({ allowed_ips }) =>
      allowed_ips === null || allowed_ips.length === 0 ? (
        <span className="text-text-3">Every</span>
      ) : (
        <Hinted text={allowed_ips.join(', ')}>{count(allowed_ips.length, 'range')}</Hinted>
      ),
  },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    id: 'used',
    header: 'Last used',
    align: 'right',
    wideOnly: true,
    cell: ({ last_used_at, last_used_ip }) => (
      <span className="flex flex-col items-end py-1">
        <Time value={last_used_at} />
        {last_used_ip !== null && <code className="mono text-text-3">{last_used_ip}</code>}
      </span>
    ),
  },
  { id: 'expires', header: 'Expires', align: 'right', cell: (key) => <ExpiryCell at={key.expires_at} /> },
];

function AccessCell({ apiKey: { scopes } }: { readonly apiKey: ApiKeyOnWire }) {
  const access = accessOf(scopes);
  if (access === 'full') return 'Full';
  const label =
    access === 'custom'
      ? count(scopes.length, 'scope')
      : PRESETS.find((preset) => preset.access === access)?.label;
  return <Hinted text={scopes.join(', ')}>{label}</Hinted>;
}

/** A word with a tooltip that pointer and keyboard can reach. */
function Hinted({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <Tooltip text={text}>
      <button type="button" className="whitespace-nowrap underline decoration-dotted underline-offset-2">
        {children}
      </button>
    </Tooltip>
  );
}

function ExpiryCell({ at }: { readonly at: string | null }) {
  const state = expiryState(at, useNow());
  return (
    <span
      className={classes(
        'whitespace-nowrap',
        state === 'soon' && 'rounded-full bg-waiting-soft px-2 text-waiting',
        state === 'expired' && 'rounded-full bg-failed-soft px-2 text-failed',
      )}
    >
      {state === 'expired' && 'Expired '}
      <Time value={at} />
    </span>
  );
}

function DeleteWarning({ apiKey }: { readonly apiKey: ApiKeyOnWire }) {
  const now = useNow();
  const { prefix, last_four, last_used_at, last_used_ip } = apiKey;
  const use =
    last_used_at === null
      ? 'It was never used.'
      : `It was last used ${relativeTime(last_used_at, now)}${last_used_ip === null ? '' : ` from ${last_used_ip}`}.`;
  return (
    <>
      <code className="mono">{`${prefix}…${last_four}`}</code>: {use} Programs that use it are refused with
      401 from now on. This cannot be taken back.
    </>
  );
}

function actionsColumn(onOpen: (open: Open) => void): Column<ApiKeyOnWire> {
  return {
    id: 'actions',
    header: 'Actions',
    hideHeader: true,
    align: 'right',
    cell: (key) => (
      <Menu
        align="end"
        trigger={<IconButton label={`Actions for ${key.name}`} icon={<Ellipsis size={16} aria-hidden />} />}
      >
        <MenuItem onSelect={() => onOpen({ kind: 'edit', key })}>Edit restrictions</MenuItem>
        <MenuItem onSelect={() => onOpen({ kind: 'rotate', key })}>Rotate</MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => onOpen({ kind: 'delete', key })}>
          Delete
        </MenuItem>
      </Menu>
    ),
  };
}
