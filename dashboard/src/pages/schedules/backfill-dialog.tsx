import { useState } from 'react';
import { answer, backfillSchedule, type ScheduleView } from '../../api/index.ts';
import { count } from '../../format/index.ts';
import { Field, FormDialog, Input, Select, useSubmit, useToast } from '../../ui/index.ts';
import { instantText, localText, type Overlap } from './schedule-form.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

interface BackfillDialogProps {
  readonly schedule: ScheduleView;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Backfills a schedule: starts the executions of a past period. */
export function BackfillDialog({ schedule, onClose, onDone }: BackfillDialogProps) {
  const [from, setFrom] = useState(() => localText(new Date(Date.now() - WEEK_MS)));
  const [to, setTo] = useState(() => localText(new Date()));
  const [overlap, setOverlap] = useState<Overlap>('allow');
  const submission = useSubmit('from', 'to');
  const toast = useToast();
  return (
    <FormDialog
      onClose={onClose}
      title={`Backfill ${schedule.name}`}
      description="Starts one run for each time of the schedule in this period. Times that have had their run are left out."
      action="Start backfill"
      submission={submission}
      onSubmit={() =>
        void submission.send(async () => {
          const body = { from: instantText(from), to: instantText(to), overlap };
          const { instants } = await answer(backfillSchedule({ path: { id: schedule.id }, body }));
          toast(
            instants === 0
              ? 'Nothing to backfill in this period'
              : `Starting ${count(instants, 'run', 'runs')}`,
          );
          onDone();
        })
      }
    >
      <Field label="From" required error={submission.faultOf('from')}>
        <Input type="datetime-local" value={from} onChange={({ target }) => setFrom(target.value)} />
      </Field>
      <Field label="To" required error={submission.faultOf('to')}>
        <Input type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
      </Field>
      <Field label="Order" required>
        <Select value={overlap} onChange={({ target }) => setOverlap(target.value as Overlap)}>
          <option value="allow">All at once</option>
          <option value="queue">One after the other</option>
        </Select>
      </Field>
    </FormDialog>
  );
}
