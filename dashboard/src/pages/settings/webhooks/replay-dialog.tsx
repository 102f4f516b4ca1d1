import { useState } from 'react';
import { replayWebhook, type Tagged, taggedAnswer, type WebhookView } from '../../../api/index.ts';
import { displayedZone, instantOfLocal, localText } from '../../../format/index.ts';
import { texts } from '../../../texts/en/settings-webhooks.ts';
import { Field, FormDialog, Input, useSubmit } from '../../../ui/index.ts';

const HOUR_MS = 3_600_000;

interface ReplayDialogProps {
  readonly webhook: WebhookView;
  readonly onClose: () => void;
  readonly onDone: (replayed: Tagged<WebhookView>) => void;
}

/** Dialog that sends all events since a chosen time to a webhook again. */
export function ReplayDialog({ webhook, onClose, onDone }: ReplayDialogProps) {
  const [since, setSince] = useState(() => localText(Date.now() - HOUR_MS));
  const submission = useSubmit('since');
  return (
    <FormDialog
      onClose={onClose}
      title={texts.replayEvents}
      description={texts.replayHint}
      action={texts.startReplay}
      submission={submission}
      onSubmit={() =>
        void submission.send(async () => {
          const time = instantOfLocal(since);
          const body = { since: time === null ? since : new Date(time).toISOString() };
          onDone(await taggedAnswer(replayWebhook({ path: { id: webhook.id }, body })));
        })
      }
    >
      <Field
        label={texts.since}
        required
        hint={texts.inYourTimeZone(displayedZone())}
        error={submission.faultOf('since')}
      >
        <Input type="datetime-local" value={since} onChange={({ target }) => setSince(target.value)} />
      </Field>
    </FormDialog>
  );
}
