import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { bulkJobs, bulkJobQuery, executionsQuery, type ListExecutionsData } from '../../api/index.ts';
import { RUN_STATUSES, type RunStatus } from '../../format/index.ts';
import { texts } from '../../texts/en/executions-bulk-jobs.ts';
import {
  Button,
  Dialog,
  ErrorNote,
  FINAL_STATUSES,
  Menu,
  MenuItem,
  MenuLabel,
  ProgressBar,
  shortId,
  useFailure,
} from '../../ui/index.ts';

type Query = Omit<NonNullable<ListExecutionsData['query']>, 'limit' | 'offset' | 'order' | 'cursor'>;
type Action = keyof typeof texts.verbs;

/** For each bulk action, whether an execution with a given status allows the action. */
const APPLIES_TO: Readonly<Record<Action, (status: RunStatus) => boolean>> = {
  cancel: (status) => !FINAL_STATUSES.has(status),
  pause: (status) => !FINAL_STATUSES.has(status) && status !== 'paused',
  resume: (status) => status === 'paused',
  retry: (status) => FINAL_STATUSES.has(status) && status !== 'completed',
};
const ACTIONS = Object.keys(texts.verbs) as readonly Action[];

interface BulkAllProps {
  readonly query: Query;
  /** Whether the list is searched by id or by words. Bulk jobs do not support such a search. */
  readonly isSearched: boolean;
}

export function BulkAll({ query, isSearched }: BulkAllProps) {
  const [asked, setAsked] = useState<Action | null>(null);
  const [job, setJob] = useState<{ readonly id: string; readonly action: Action } | null>(null);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button disabled={isSearched} title={isSearched ? texts.notWithSearch : undefined}>
            {texts.allMatching}
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
      >
        <MenuLabel>{texts.actionsOnAll}</MenuLabel>
        {ACTIONS.map((action) => (
          <MenuItem
            key={action}
            needsService
            danger={action === 'cancel'}
            disabled={statusesFor(action, query).length === 0}
            onSelect={() => setAsked(action)}
          >
            {texts.actions[action]}
          </MenuItem>
        ))}
      </Menu>
      {asked !== null && (
        <AskDialog
          action={asked}
          query={query}
          onClose={() => setAsked(null)}
          onStarted={(id) => {
            setJob({ id, action: asked });
            setAsked(null);
          }}
        />
      )}
      {job !== null && <JobDialog {...job} onClose={() => setJob(null)} />}
    </>
  );
}

function statusesFor(action: Action, { status }: Query): RunStatus[] {
  return RUN_STATUSES.filter(
    (each) => APPLIES_TO[action](each) && (status === undefined || status.includes(each)),
  );
}

interface AskDialogProps {
  readonly action: Action;
  readonly query: Query;
  readonly onClose: () => void;
  readonly onStarted: (id: string) => void;
}

/** Dialog that shows the number of affected executions before the bulk job starts. */
function AskDialog({ action, query, onClose, onStarted }: AskDialogProps) {
  // The job excludes executions created after the dialog was opened, so that the displayed number stays correct.
  const [before] = useState(() => query.created_before ?? new Date().toISOString());
  const filter = { ...query, status: statusesFor(action, query), created_before: before };
  const matching = useQuery(executionsQuery({ ...filter, limit: 1 }));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useFailure();
  const total = matching.data?.pagination.total;
  const verb = texts.verbs[action];
  const begin = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      onStarted((await bulkJobs.create(action, filter)).id);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={total === undefined ? texts.counting : texts.question(verb, total)}
      description={texts.about[action]}
      actions={
        <>
          <Button onClick={onClose}>{texts.notNow}</Button>
          <Button
            kind={action === 'cancel' ? 'danger' : 'primary'}
            busy={busy}
            disabled={total === undefined || total === 0}
            onClick={() => void begin()}
          >
            {texts.confirm(verb, total ?? 0)}
          </Button>
        </>
      }
    >
      {matching.error !== null && <ErrorNote error={matching.error} title={texts.couldNotCount} />}
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  );
}

interface JobDialogProps {
  readonly id: string;
  readonly action: Action;
  readonly onClose: () => void;
}

function JobDialog({ id, action, onClose }: JobDialogProps) {
  const { data: job, error } = useQuery(bulkJobQuery(id));
  const queryClient = useQueryClient();
  const status = job?.status ?? 'running';
  const isOver = status !== 'running';
  useEffect(() => {
    if (isOver) void queryClient.invalidateQueries({ queryKey: ['executions'] });
  }, [isOver, queryClient]);
  const [busy, setBusy] = useState(false);
  const [stopError, setStopError] = useFailure();
  const stop = async (): Promise<void> => {
    setBusy(true);
    try {
      await bulkJobs.cancel(id);
      await queryClient.invalidateQueries({ queryKey: ['bulk-jobs', id] });
    } catch (failure) {
      setStopError(failure);
    } finally {
      setBusy(false);
    }
  };
  const shown = error ?? stopError;
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.progressTitle(texts.verbs[action])}
      description={isOver ? (job?.status_reason ?? texts.statuses[status]) : texts.continues}
      actions={
        <>
          {!isOver && (
            <Button busy={busy} onClick={() => void stop()}>
              {texts.stop}
            </Button>
          )}
          <Button kind="primary" needsService={false} onClick={onClose}>
            {texts.close}
          </Button>
        </>
      }
    >
      <div className="flex min-h-16 flex-col gap-2">
        <ProgressBar
          label={texts.progressLabel}
          fraction={job === undefined ? 0 : isOver || job.total === 0 ? 1 : job.processed / job.total}
        />
        <p role="status" className="num">
          {texts.progress(job?.processed ?? 0, job?.total ?? 0)}
          {job !== undefined && isOver && ` · ${texts.outcome(job.succeeded, job.failed)}`}
        </p>
        {job !== undefined && job.failures.length > 0 && (
          <section aria-label={texts.failures}>
            <h3 className="mb-1 font-medium">{texts.failures}</h3>
            <ul className="flex flex-col gap-2">
              {job.failures.map(({ code, count: failed, message, execution_ids: ids }) => (
                <li key={code}>
                  <span className="num font-medium">{texts.failure(failed, code)}</span>
                  <p className="text-text-2 wrap-anywhere">{message}</p>
                  <p className="flex flex-wrap gap-2">
                    {ids.map((one) => (
                      <Link
                        key={one}
                        to="/executions/$id"
                        params={{ id: one }}
                        className="mono inline-block min-h-6 text-accent hover:underline"
                      >
                        {shortId(one)}
                      </Link>
                    ))}
                  </p>
                </li>
              ))}
            </ul>
          </section>
        )}
        {shown !== null && <ErrorNote error={shown} title={texts.couldNotRead} />}
      </div>
    </Dialog>
  );
}
