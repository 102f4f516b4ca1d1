import { useState } from 'react';
import { answer, backfillSchedule, type ScheduleView } from '../../api/index.ts';
import { displayedZone, localText } from '../../format/index.ts';
import { texts } from '../../texts/en/schedules.ts';
import { Field, FormDialog, Input, Select, useSubmit, useToast } from '../../ui/index.ts';
import { instantText, type Overlap } from './schedule-form.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

interface BackfillDialogProps {
  readonly schedule: ScheduleView;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function BackfillDialog({ schedule, onClose, onDone }: BackfillDialogProps) {
  const [from, setFrom] = useState(() => localText(Date.now() - WEEK_MS));
  const [to, setTo] = useState(() => localText(Date.now()));
  const [overlap, setOverlap] = useState<Overlap>('allow');
  const submission = useSubmit('from', 'to');
  const toast = useToast();
  return (
    <FormDialog
      onClose={onClose}
      title={texts.backfillTitle(schedule.name)}
      description={texts.backfillHint}
      action={texts.startBackfill}
      submission={submission}
      onSubmit={() =>
        void submission.send(async () => {
          const body = { from: instantText(from), to: instantText(to), overlap };
          const { instants } = await answer(backfillSchedule({ path: { id: schedule.id }, body }));
          toast(instants === 0 ? texts.nothingToBackfill : texts.startingExecutions(instants));
          onDone();
        })
      }
    >
      <Field
        label={texts.from}
        required
        hint={texts.inYourTimeZone(displayedZone())}
        error={submission.faultOf('from')}
      >
        <Input type="datetime-local" value={from} onChange={({ target }) => setFrom(target.value)} />
      </Field>
      <Field label={texts.to} required error={submission.faultOf('to')}>
        <Input type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
      </Field>
      <Field label={texts.order} required>
        <Select value={overlap} onChange={({ target }) => setOverlap(target.value as Overlap)}>
          <option value="allow">{texts.allAtOnce}</option>
          <option value="queue">{texts.sequentially}</option>
        </Select>
      </Field>
    </FormDialog>
  );
}
