import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { executionsQuery, type ExecutionView } from '../../api/index.ts';
import { texts } from '../../texts/en/execution.ts';
import {
  Dialog,
  ErrorNote,
  Input,
  shortId,
  SkeletonRows,
  StatusBadge,
  Time,
  useSettled,
} from '../../ui/index.ts';

const LISTED = 20;

interface CompareDialogProps {
  readonly run: ExecutionView;
  readonly onClose: () => void;
}

/**
 * Dialog that lists executions of the same workflow for a comparison. Without a search text, the list shows the most
 * recent executions.
 */
export function CompareDialog({ run, onClose }: CompareDialogProps) {
  const [text, setText] = useState('');
  const q = useSettled(text.trim());
  const { data, error, isPending } = useQuery(
    executionsQuery({ workflow_id: run.workflow_id, limit: LISTED, q: q === '' ? undefined : q }),
  );
  const found = data?.data.filter(({ id }) => id !== run.id) ?? [];
  return (
    <Dialog open onClose={onClose} title={texts.compareTitle} description={texts.compareHint}>
      <div className="relative">
        <Search
          size={14}
          aria-hidden
          className="pointer-events-none absolute top-[9px] left-2.5 text-text-3"
        />
        <Input
          type="search"
          aria-label={texts.compareSearch}
          placeholder={texts.compareSearch}
          value={text}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
          className="pl-7.5"
        />
      </div>
      {/* The list has a fixed height, so that the dialog does not move when search results arrive. */}
      <div className="mt-3 h-72 overflow-y-auto">
        {error !== null && <ErrorNote error={error} title={texts.couldNotSearch} />}
        {isPending && <SkeletonRows rows={6} />}
        {data !== undefined && found.length === 0 && (
          <p className="p-2 text-text-2">{q === '' ? texts.noOtherExecution : texts.noMatchToCompare}</p>
        )}
        <ul aria-label={texts.executionsOfWorkflow}>
          {found.map((each) => (
            <li key={each.id}>
              <Choice run={run} other={each} />
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

/** Link that compares two executions. The older execution is the base of the comparison. */
function Choice({ run, other }: { readonly run: ExecutionView; readonly other: ExecutionView }) {
  const [base = '', later = ''] = [run.id, other.id].toSorted();
  return (
    <Link
      to="/executions/compare"
      search={{ base, other: later }}
      title={other.id}
      className="grid min-h-10 grid-cols-[5.5rem_7rem_2.5rem_1fr] items-center gap-2 rounded-sm px-2 hover:bg-muted focus-visible:-outline-offset-2"
    >
      <span className="mono">{shortId(other.id)}</span>
      <StatusBadge status={other.status} />
      <span className="num text-text-2">{texts.versionTag(other.workflow_version)}</span>
      <span className="truncate text-right text-text-2">
        {other.id === run.retry_of ? texts.originalOfRetry : <Time value={other.created_at} />}
      </span>
    </Link>
  );
}
