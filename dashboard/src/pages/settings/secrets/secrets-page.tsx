import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { secretsQuery, type SecretView, useMay } from '../../../api/index.ts';
import { useProject } from '../../../shell/project.ts';
import { texts } from '../../../texts/en/settings-secrets.ts';
import {
  Button,
  CodeBlock,
  type Column,
  CopyIcon,
  EmptyState,
  type Filter,
  IconButton,
  ListPage,
  Menu,
  MenuItem,
  MenuSeparator,
  NameText,
  Time,
  useListSearch,
  useShortcut,
  useToast,
} from '../../../ui/index.ts';
import { DescriptionDialog, ReplaceValueDialog } from './change-secret-dialogs.tsx';
import { CreateSecretDialog } from './create-secret-dialog.tsx';
import { DeleteSecretDialog } from './delete-secret-dialog.tsx';
import { expressionOf } from './secret-name.ts';

/**
 * Refetch interval in milliseconds. The page polls, because executions can change the time of the last use at any time.
 */
const REFRESH_MS = 10_000;

const FILTERS: readonly Filter[] = [{ kind: 'text', name: 'q', label: texts.searchSecrets }];

const EXAMPLE = `"headers": {\n  "Authorization": "Bearer ${expressionOf('NAME')}"\n}`;

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'replace' | 'describe' | 'delete'; readonly secret: SecretView };

export function SecretsPage() {
  const { projectId, projects, areProjectsLoading } = useProject();
  const search = useListSearch('q');
  const query = useQuery({
    ...secretsQuery({ ...search.page, project_id: projectId, q: search.filters['q'] }),
    refetchInterval: REFRESH_MS,
  });
  const [open, setOpen] = useState<Open | null>(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  const mayChange = useMay()('secrets:write');
  useShortcut('n', texts.createSecret, () => setOpen({ kind: 'create' }), { enabled: mayChange });
  const close = (): void => setOpen(null);
  const done = (message: string): void => {
    close();
    toast(message);
    void queryClient.invalidateQueries({ queryKey: ['secrets'] });
  };
  const createButton = mayChange && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setOpen({ kind: 'create' })}>
      {texts.createSecret}
    </Button>
  );
  const projectNames = new Map(projects.map(({ id, name }) => [id, name]));
  return (
    <>
      <ListPage
        title={texts.secrets}
        label={texts.secrets}
        noun={texts.secretNoun}
        actions={createButton}
        filters={FILTERS}
        search={search}
        query={query}
        areRowsPending={areProjectsLoading}
        columns={[
          ...COLUMNS,
          ...(projectId === undefined && projects.length > 1 ? [projectColumn(projectNames)] : []),
          ...USE_COLUMNS,
          ...(mayChange ? [actionsColumn(setOpen)] : []),
        ]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title={texts.noSecretsYet} action={createButton} docs="secrets">
            <p>{texts.purpose(<code className="mono">{expressionOf('NAME')}</code>)}</p>
            <div className="mt-4 text-left">
              <CodeBlock code={EXAMPLE} label={texts.example} />
            </div>
          </EmptyState>
        }
      />
      {open?.kind === 'create' && (
        <CreateSecretDialog onClose={close} onDone={({ name }) => done(texts.secretCreated(name))} />
      )}
      {open?.kind === 'replace' && (
        <ReplaceValueDialog
          secret={open.secret}
          onClose={close}
          onDone={({ name, version }) => done(texts.valueReplaced(name, version))}
        />
      )}
      {open?.kind === 'describe' && (
        <DescriptionDialog secret={open.secret} onClose={close} onDone={() => done(texts.descriptionSaved)} />
      )}
      {open?.kind === 'delete' && (
        <DeleteSecretDialog
          secret={open.secret}
          onClose={close}
          onDone={() => done(texts.secretDeleted(open.secret.name))}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<SecretView>[] = [
  {
    id: 'name',
    header: texts.name,
    cell: ({ name, description }) => (
      <>
        <span className="flex items-center gap-1">
          <code className="mono font-medium wrap-anywhere">{name}</code>
          <CopyIcon value={expressionOf(name)} label={texts.copy(expressionOf(name))} />
        </span>
        {description !== '' && (
          <span className="line-clamp-2 pb-1 text-small text-text-3 wrap-anywhere md:hidden">
            {description}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'description',
    header: texts.description,
    wideOnly: true,
    cell: ({ description }) =>
      description === '' ? (
        <span className="text-text-3">–</span>
      ) : (
        <span title={description} className="line-clamp-2 wrap-anywhere">
          {description}
        </span>
      ),
  },
];

function projectColumn(names: ReadonlyMap<string, string>): Column<SecretView> {
  return {
    id: 'project',
    header: texts.project,
    wideOnly: true,
    cell: ({ project_id }) => <NameText name={names.get(project_id) ?? project_id} />,
  };
}

const USE_COLUMNS: readonly Column<SecretView>[] = [
  {
    id: 'version',
    header: texts.version,
    align: 'right',
    wideOnly: true,
    cell: ({ version }) => <span className="num">{version}</span>,
  },
  {
    id: 'updated',
    header: texts.changed,
    align: 'right',
    wideOnly: true,
    cell: ({ updated_at }) => <Time value={updated_at} />,
  },
  {
    id: 'used',
    header: texts.lastUsed,
    align: 'right',
    cell: ({ last_used_at }) => <Time value={last_used_at} />,
  },
];

function actionsColumn(onOpen: (open: Open) => void): Column<SecretView> {
  return {
    id: 'actions',
    header: texts.actions,
    hideHeader: true,
    align: 'right',
    cell: (secret) => (
      <Menu
        align="end"
        trigger={
          <IconButton label={texts.actionsFor(secret.name)} icon={<Ellipsis size={16} aria-hidden />} />
        }
      >
        <MenuItem onSelect={() => onOpen({ kind: 'replace', secret })}>{texts.replaceValue}</MenuItem>
        <MenuItem onSelect={() => onOpen({ kind: 'describe', secret })}>{texts.editDescription}</MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => onOpen({ kind: 'delete', secret })}>
          {texts.delete}
        </MenuItem>
      </Menu>
    ),
  };
}
