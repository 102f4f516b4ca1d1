import { useState } from 'react';
import { answer, replayWebhook, type WebhookView } from '../../../api/index.ts';
import { Field, FormDialog, Input, useSubmit } from '../../../ui/index.ts';

const HOUR_MS = 3_600_000;

interface ReplayDialogProps {
  readonly webhook: WebhookView;
  readonly onClose: () => void;
  /** @param events how many are left to send */
  readonly onDone: (events: number) => void;
}

/** Sends the events since a time again. */
export function ReplayDialog({ webhook, onClose, onDone }: ReplayDialogProps) {
  const [since, setSince] = useState(() => localText(Date.now() - HOUR_MS));
  const submission = useSubmit('since');
  return (
    <FormDialog
      onClose={onClose}
      title="Replay events"
      description="Sends every selected event since this time again, with the same ids. New events follow after them."
      action="Start replay"
      submission={submission}
      onSubmit={() =>
        void submission.send(async () => {
          const time = new Date(since);
          const body = { since: Number.isNaN(time.getTime()) ? since : time.toISOString() };
          onDone((await answer(replayWebhook({ path: { id: webhook.id }, body }))).lag_events);
        })
      }
    >
      <Field label="Since" required hint="In your time zone." error={submission.faultOf('since')}>
        <Input type="datetime-local" value={since} onChange={({ target }) => setSince(target.value)} />
      </Field>
    </FormDialog>
  );
}

/** A time as the browser's own control of a local date and time writes it. */
function localText(epochMs: number): string {
  const time = new Date(epochMs);
  return new Date(epochMs - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
