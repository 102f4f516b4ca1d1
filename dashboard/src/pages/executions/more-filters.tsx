import { ChevronDown } from 'lucide-react';
import { RUN_STATUSES } from '../../format/index.ts';
import { texts } from '../../texts/en/executions.ts';
import { Button, Checkbox, Field, Input, type ListSearch, Popover, STATUSES } from '../../ui/index.ts';
import { statusesOf } from './run-filters.ts';

interface MoreFiltersProps {
  readonly search: ListSearch;
}

export function StatusFilter({ search }: MoreFiltersProps) {
  const chosen = statusesOf(search.filters['status']);
  const [only] = chosen;
  return (
    <Popover
      label={texts.status}
      trigger={
        <Button>
          {texts.statusFilter(
            only === undefined ? null : chosen.length === 1 ? STATUSES[only].word : chosen.length,
          )}
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <div className="flex flex-col gap-1.5">
        {RUN_STATUSES.map((status) => (
          <Checkbox
            key={status}
            label={STATUSES[status].word}
            checked={chosen.includes(status)}
            onChange={(checked) =>
              search.setFilter(
                'status',
                RUN_STATUSES.filter((each) => (each === status ? checked : chosen.includes(each))).join(),
              )
            }
          />
        ))}
      </div>
    </Popover>
  );
}

/** Filter by the date on which an execution was created. The first and the last date are included. */
export function CreatedFilter({ search }: MoreFiltersProps) {
  const { from, to } = search.filters;
  return (
    <Popover
      label={texts.created}
      trigger={
        <Button>
          {texts.createdFilter(from, to)}
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label={texts.from}>
          <Input
            type="date"
            value={from ?? ''}
            max={to}
            onChange={(event) => search.setFilter('from', event.target.value)}
          />
        </Field>
        <Field label={texts.to}>
          <Input
            type="date"
            value={to ?? ''}
            min={from}
            onChange={(event) => search.setFilter('to', event.target.value)}
          />
        </Field>
      </div>
    </Popover>
  );
}
