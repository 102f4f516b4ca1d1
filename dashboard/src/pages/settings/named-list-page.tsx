import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { texts } from '../../texts/en/settings-lists.ts';
import {
  Button,
  Checkbox,
  type Column,
  ConfirmDialog,
  EmptyState,
  IconButton,
  ListPage,
  type ListSearch,
  Menu,
  MenuItem,
  MenuSeparator,
  useToast,
} from '../../ui/index.ts';
import { NameDialog } from './name-dialog.tsx';

interface Named {
  readonly id: string;
  readonly name: string;
}

type Open<T> = { readonly kind: 'create' } | { readonly kind: 'rename' | 'delete'; readonly row: T };

interface NamedListPageProps<T extends Named> {
  readonly title: string;
  /** Singular and plural of the word for an item, such as `['project', 'projects']`. */
  readonly noun: readonly [one: string, many: string];
  readonly query: UseQueryResult<{
    readonly data: readonly T[];
    readonly pagination: { readonly total: number; readonly limit: number; readonly offset: number };
  }>;
  readonly search: ListSearch;
  readonly columns: readonly Column<T>[];
  readonly mayCreate: boolean;
  readonly mayChange: (row: T) => boolean;
  readonly purpose: string;
  /** Text of the dialog that confirms a deletion. The text names everything that is deleted together with an item. */
  readonly deleteWarning: string;
  readonly onCreate: (name: string) => Promise<unknown>;
  readonly onRename: (id: string, name: string) => Promise<unknown>;
  /**
   * @param cancel whether to cancel unfinished executions; otherwise the service refuses to delete
   */
  readonly onDelete: (id: string, cancel: boolean) => Promise<unknown>;
}

/** Page with a list of named items, such as projects. Dialogs create, rename and delete an item. */
export function NamedListPage<T extends Named>({
  title,
  noun,
  query,
  search,
  columns,
  mayCreate,
  mayChange,
  purpose,
  deleteWarning,
  onCreate,
  onRename,
  onDelete,
}: NamedListPageProps<T>) {
  const [one, many] = noun;
  const [open, setOpen] = useState<Open<T> | null>(null);
  const [cancels, setCancels] = useState(false);
  const queryClient = useQueryClient();
  const toast = useToast();
  const close = (): void => {
    setOpen(null);
    setCancels(false);
  };
  const done = async (change: Promise<unknown>, text: string): Promise<void> => {
    await change;
    toast(text);
    await queryClient.invalidateQueries({ queryKey: [many] });
  };
  const word = `${one.slice(0, 1).toUpperCase()}${one.slice(1)}`;
  const createButton = mayCreate && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setOpen({ kind: 'create' })}>
      {texts.create(one)}
    </Button>
  );
  return (
    <>
      <ListPage
        title={title}
        label={title}
        noun={noun}
        actions={createButton}
        docs="teams"
        search={search}
        query={query}
        columns={[...columns, actionsColumn<T>(mayChange, setOpen)]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title={texts.none(many)} action={createButton}>
            {purpose}
          </EmptyState>
        }
      />
      {open?.kind === 'create' && (
        <NameDialog
          title={texts.create(one)}
          description={purpose}
          action={texts.create(one)}
          name=""
          onClose={close}
          onSubmit={(name) => done(onCreate(name), texts.created(word))}
        />
      )}
      {open?.kind === 'rename' && (
        <NameDialog
          title={texts.renameTitle(open.row.name)}
          action={texts.saveName}
          name={open.row.name}
          onClose={close}
          onSubmit={(name) => done(onRename(open.row.id, name), texts.renamed(word))}
        />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          open
          onClose={close}
          title={texts.deleteQuestion(open.row.name)}
          description={deleteWarning}
          action={texts.deleteOne(one)}
          typed={open.row.name}
          onConfirm={() => done(onDelete(open.row.id, cancels), texts.deleted(word))}
        >
          <Checkbox
            label={texts.cancelUnfinished}
            hint={texts.cancelUnfinishedHint(one)}
            checked={cancels}
            onChange={setCancels}
          />
        </ConfirmDialog>
      )}
    </>
  );
}

function actionsColumn<T extends Named>(
  mayChange: (row: T) => boolean,
  onOpen: (open: Open<T>) => void,
): Column<T> {
  return {
    id: 'actions',
    header: texts.actions,
    hideHeader: true,
    align: 'right',
    cell: (row) =>
      mayChange(row) && (
        <Menu
          align="end"
          trigger={
            <IconButton label={texts.actionsFor(row.name)} icon={<Ellipsis size={16} aria-hidden />} />
          }
        >
          <MenuItem onSelect={() => onOpen({ kind: 'rename', row })}>{texts.rename}</MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={() => onOpen({ kind: 'delete', row })}>
            {texts.delete}
          </MenuItem>
        </Menu>
      ),
  };
}
