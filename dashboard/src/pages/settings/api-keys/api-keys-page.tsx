import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Plus, User } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  answer,
  type ApiKeyOnWire,
  changeKey,
  createKey,
  deleteKey,
  keysQuery,
  membersQuery,
  type NewApiKeyOnWire,
  useMay,
  useSignIn,
} from '../../../api/index.ts';
import { relativeTime, useNow } from '../../../format/index.ts';
import { useProject } from '../../../shell/project.ts';
import { texts } from '../../../texts/en/settings-api-keys.ts';
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

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate' | 'delete'; readonly key: ApiKeyOnWire }
  | { readonly kind: 'reveal'; readonly name: string; readonly secret: string; readonly note?: string };

export function ApiKeysPage() {
  const search = useListSearch('q', 'environment', 'project');
  const environment = ENVIRONMENTS.find(({ value }) => value === search.filters['environment'])?.value;
  const query = useQuery(
    keysQuery({
      ...search.page,
      order: 'desc',
      q: search.filters['q'],
      environment,
      project_id: search.filters['project'],
    }),
  );
  const { projects, areProjectsLoading } = useProject();
  const { team_id } = useSignIn();
  const { data: members, isLoading: areMembersLoading } = useQuery(membersQuery(team_id, { limit: 100 }));
  const owners = new Map(members?.data.map(({ user_id, name, email }) => [user_id, name || email]));
  const [open, setOpen] = useState<Open | null>(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  const close = (): void => setOpen(null);
  const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['keys'] });
  const mayChange = useMay()('keys:write');
  useShortcut('n', texts.createNewKey, () => setOpen({ kind: 'create' }), { enabled: mayChange });
  const reveal = (key: NewApiKeyOnWire, note?: string): void => {
    void readAgain();
    if (key.key === undefined) close();
    else
      setOpen({ kind: 'reveal', name: key.name, secret: key.key, ...(note === undefined ? {} : { note }) });
  };
  const createButton = mayChange && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setOpen({ kind: 'create' })}>
      {texts.createNewKey}
    </Button>
  );
  const nameOfProject = (id: string | null): string =>
    id === null ? texts.all : (projects.find((project) => project.id === id)?.name ?? id);
  return (
    <>
      <ListPage
        title={texts.apiKeys}
        label={texts.apiKeys}
        noun={texts.keyNoun}
        actions={createButton}
        search={search}
        filters={[
          { kind: 'text', name: 'q', label: texts.searchByNameOrId },
          { kind: 'choice', name: 'environment', label: texts.environment, options: ENVIRONMENTS },
          {
            kind: 'choice',
            name: 'project',
            label: texts.project,
            options: projects.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
        query={query}
        areRowsPending={areProjectsLoading || areMembersLoading}
        columns={[
          nameColumn(owners),
          ...COLUMNS,
          {
            id: 'project',
            header: texts.project,
            wideOnly: true,
            cell: ({ project_id }) => nameOfProject(project_id),
          },
          ...LATER_COLUMNS,
          ...(mayChange ? [actionsColumn(setOpen)] : []),
        ]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title={texts.noKeysYet} action={createButton} docs="security">
            {texts.purpose}
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
            toast(texts.keyChanged);
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
          title={texts.deleteQuestion(open.key.name)}
          description={<DeleteWarning apiKey={open.key} />}
          action={texts.deleteKey}
          onConfirm={async () => {
            await answer(deleteKey({ path: { id: open.key.id } }));
            toast(texts.keyDeleted);
            void readAgain();
          }}
        />
      )}
    </>
  );
}

/**
 * @param owners names of people by id
 */
function nameColumn(owners: ReadonlyMap<string, string>): Column<ApiKeyOnWire> {
  return {
    id: 'name',
    header: texts.name,
    cell: (key) => {
      const owner = owners.get(key.user_id);
      return (
        <>
          <NameText name={key.name} />
          <div className="md:hidden">
            <KeyCode apiKey={key} />
          </div>
          {owner !== undefined && (
            <span className="flex items-center gap-1 pb-1.5 text-small text-text-3">
              <User size={12} aria-hidden className="shrink-0" />
              <span className="sr-only">{texts.owner} </span>
              <span className="max-w-40 truncate">{owner}</span>
            </span>
          )}
        </>
      );
    },
  };
}

const COLUMNS: readonly Column<ApiKeyOnWire>[] = [
  {
    id: 'key',
    header: texts.key,
    wideOnly: true,
    cell: (key) => <KeyCode apiKey={key} />,
  },
  { id: 'access', header: texts.scopes, wideOnly: true, cell: (key) => <AccessCell apiKey={key} /> },
];

const LATER_COLUMNS: readonly Column<ApiKeyOnWire>[] = [
  {
    id: 'environment',
    header: texts.environment,
    wideOnly: true,
    cell: ({ environment }) => ENVIRONMENTS.find(({ value }) => value === environment)?.label,
  },
  {
    id: 'addresses',
    header: texts.addresses,
    wideOnly: true,
    cell: ({ allowed_ips }) =>
      allowed_ips === null || allowed_ips.length === 0 ? (
        <span className="text-text-3">{texts.anyAddress}</span>
      ) : (
        <Hinted text={allowed_ips.join(', ')}>{texts.rangeCount(allowed_ips.length)}</Hinted>
      ),
  },
  {
    id: 'created',
    header: texts.created,
    align: 'right',
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    id: 'used',
    header: texts.lastUsed,
    align: 'right',
    wideOnly: true,
    cell: ({ last_used_at, last_used_ip }) => (
      <span className="flex flex-col items-end py-1">
        <Time value={last_used_at} />
        {last_used_ip !== null && <code className="mono text-text-3">{last_used_ip}</code>}
      </span>
    ),
  },
  { id: 'expires', header: texts.expires, align: 'right', cell: (key) => <ExpiryCell at={key.expires_at} /> },
];

function KeyCode({ apiKey: { prefix, last_four } }: { readonly apiKey: ApiKeyOnWire }) {
  return <code className="mono whitespace-nowrap">{`${prefix}…${last_four}`}</code>;
}

function AccessCell({ apiKey: { scopes } }: { readonly apiKey: ApiKeyOnWire }) {
  const access = accessOf(scopes);
  if (access === 'full') return texts.full;
  const label =
    access === 'custom'
      ? texts.scopeCount(scopes.length)
      : PRESETS.find((preset) => preset.access === access)?.label;
  return <Hinted text={scopes.join(', ')}>{label}</Hinted>;
}

/** A word with a tooltip. The word is a button, so that keyboard users can open the tooltip. */
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
      {state === 'expired' && texts.expiredPrefix}
      <Time value={at} />
    </span>
  );
}

function DeleteWarning({ apiKey }: { readonly apiKey: ApiKeyOnWire }) {
  const now = useNow();
  const { last_used_at, last_used_ip } = apiKey;
  const use =
    last_used_at === null ? texts.neverUsed : texts.lastUsedAt(relativeTime(last_used_at, now), last_used_ip);
  return <>{texts.deleteHint(<KeyCode apiKey={apiKey} />, use)}</>;
}

function actionsColumn(onOpen: (open: Open) => void): Column<ApiKeyOnWire> {
  return {
    id: 'actions',
    header: texts.actions,
    hideHeader: true,
    align: 'right',
    cell: (key) => (
      <Menu
        align="end"
        trigger={<IconButton label={texts.actionsFor(key.name)} icon={<Ellipsis size={16} aria-hidden />} />}
      >
        <MenuItem onSelect={() => onOpen({ kind: 'edit', key })}>{texts.editRestrictions}</MenuItem>
        <MenuItem onSelect={() => onOpen({ kind: 'rotate', key })}>{texts.rotate}</MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => onOpen({ kind: 'delete', key })}>
          {texts.delete}
        </MenuItem>
      </Menu>
    ),
  };
}
