import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import {
  Button,
  Dialog,
  Field,
  Input,
  Menu,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  type UrlSearch,
  useStored,
  useToast,
  useUrlSearch,
} from '../../ui/index.ts';
import { FILTER_NAMES } from './run-filters.ts';

const STORED = 'views:executions';

interface View {
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
}

/** Named filter sets, stored in this browser. */
export function SavedViews({ filters }: { readonly filters: Readonly<Record<string, string>> }) {
  const [stored, setStored] = useStored(STORED);
  const [, change] = useUrlSearch();
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const toast = useToast();
  const views = viewsIn(stored);
  const present = views.find((view) => isSame(view.filters, filters));
  const keep = (next: readonly View[]): void => setStored(next.length === 0 ? null : JSON.stringify(next));
  const save = (): void => {
    const wanted = name.trim();
    if (wanted === '') return;
    keep([...views.filter((view) => view.name !== wanted), { name: wanted, filters }]);
    setNaming(false);
    setName('');
    toast(`View ${wanted} saved`);
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button className="md:ml-auto" icon={<Bookmark size={14} aria-hidden />}>
            {present?.name ?? 'Views'}
          </Button>
        }
      >
        <MenuLabel>{views.length === 0 ? 'No saved views yet' : 'Saved views'}</MenuLabel>
        {views.map((view) => (
          <MenuItem key={view.name} checked={view === present} onSelect={() => change(searchFor(view))}>
            {view.name}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem disabled={Object.keys(filters).length === 0} onSelect={() => setNaming(true)}>
          Save these filters…
        </MenuItem>
        {present !== undefined && (
          <MenuItem danger onSelect={() => keep(views.filter((view) => view !== present))}>
            Delete {present.name}
          </MenuItem>
        )}
      </Menu>
      <Dialog
        open={naming}
        onClose={() => setNaming(false)}
        title="Save this view"
        description="The filters are kept in this browser."
        actions={
          <>
            <Button onClick={() => setNaming(false)}>Not now</Button>
            <Button needsService={false} kind="primary" disabled={name.trim() === ''} onClick={save}>
              Save view
            </Button>
          </>
        }
      >
        <Field label="Name" required>
          <Input
            value={name}
            maxLength={40}
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && save()}
          />
        </Field>
      </Dialog>
    </>
  );
}

function searchFor({ filters }: View): UrlSearch {
  return {
    ...Object.fromEntries(FILTER_NAMES.map((filter) => [filter, filters[filter]])),
    offset: undefined,
  };
}

function isSame(a: View['filters'], b: View['filters']): boolean {
  return FILTER_NAMES.every((filter) => (a[filter] ?? '') === (b[filter] ?? ''));
}

/** The stored value may have an older format or come from elsewhere; invalid entries are ignored. */
function viewsIn(stored: string | null): readonly View[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is View {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'filters' in value &&
    typeof value.filters === 'object' &&
    value.filters !== null
  );
}
