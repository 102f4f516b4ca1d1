import { useQuery } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import {
  answer,
  deleteSavedView,
  queryClient,
  type SavedViewView,
  savedViewsQuery,
  useSignIn,
} from '../../api/index.ts';
import { texts } from '../../texts/en/executions.ts';
import {
  Button,
  ConfirmDialog,
  ErrorNote,
  Menu,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  useUrlSearch,
} from '../../ui/index.ts';
import { FILTER_NAMES } from './run-filters.ts';
import { ViewDialog } from './view-dialog.tsx';
import { areSameFilters, type Filters, fromViewFilters } from './view-filters.ts';

type Asked = { readonly kind: 'save' } | { readonly kind: 'change' | 'delete'; readonly view: SavedViewView };

/** Menu with the saved views of the user and of the team. */
export function SavedViews({ filters }: { readonly filters: Filters }) {
  const { data, error } = useQuery(savedViewsQuery('executions'));
  const [, change] = useUrlSearch();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { user, teams, team_id } = useSignIn();
  const role = teams.find(({ id }) => id === team_id)?.role ?? 'viewer';
  const views = data?.data ?? [];
  const present = views.find((view) => areSameFilters(fromViewFilters(view.settings.filters), filters));
  const mayChange =
    present !== undefined && (present.created_by === user.id || role === 'admin' || role === 'owner');
  const section = (label: string, shown: readonly SavedViewView[]) =>
    shown.length > 0 && (
      <>
        <MenuLabel>{label}</MenuLabel>
        {shown.map((view) => (
          <MenuItem key={view.id} checked={view === present} onSelect={() => change(searchFor(view))}>
            {view.name}
          </MenuItem>
        ))}
        <MenuSeparator />
      </>
    );
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button className="min-w-0" icon={<Bookmark size={14} aria-hidden />}>
            <span className="max-w-44 truncate">{present?.name ?? texts.views}</span>
          </Button>
        }
      >
        {error !== null && <ErrorNote error={error} title={texts.couldNotLoadViews} />}
        {data !== undefined && views.length === 0 && (
          <>
            <MenuLabel>{texts.noSavedViewsYet}</MenuLabel>
            <MenuSeparator />
          </>
        )}
        {section(
          texts.ownViews,
          views.filter(({ visibility }) => visibility === 'own'),
        )}
        {section(
          texts.teamViews,
          views.filter(({ visibility }) => visibility === 'team'),
        )}
        <MenuItem
          disabled={Object.keys(filters).length === 0 || present !== undefined}
          onSelect={() => setAsked({ kind: 'save' })}
        >
          {texts.saveFilters}
        </MenuItem>
        {mayChange && (
          <>
            <MenuItem onSelect={() => setAsked({ kind: 'change', view: present })}>
              {texts.change(present.name)}
            </MenuItem>
            <MenuItem danger onSelect={() => setAsked({ kind: 'delete', view: present })}>
              {texts.delete(present.name)}
            </MenuItem>
          </>
        )}
      </Menu>
      {(asked?.kind === 'save' || asked?.kind === 'change') && (
        <ViewDialog
          view={asked.kind === 'change' ? asked.view : null}
          filters={filters}
          canShare={role !== 'viewer'}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.kind === 'delete' && (
        <ConfirmDialog
          open
          onClose={() => setAsked(null)}
          title={texts.deleteViewQuestion(asked.view.name)}
          description={asked.view.visibility === 'team' ? texts.deleteTeamViewHint : texts.deleteOwnViewHint}
          action={texts.deleteView}
          onConfirm={async () => {
            await answer(deleteSavedView({ path: { id: asked.view.id } }));
            await queryClient.invalidateQueries({ queryKey: ['saved-views'] });
          }}
        />
      )}
    </>
  );
}

/** URL parameters that apply a saved view: the filters of the view are set, and all other filters are removed. */
function searchFor({ settings }: SavedViewView): Readonly<Record<string, string | undefined>> {
  const filters = fromViewFilters(settings.filters);
  return {
    ...Object.fromEntries(FILTER_NAMES.map((filter) => [filter, filters[filter]])),
    offset: undefined,
  };
}
