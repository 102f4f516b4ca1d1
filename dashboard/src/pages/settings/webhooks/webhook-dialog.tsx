import { useState } from 'react';
import {
  changeWebhook,
  createWebhook,
  type Tagged,
  taggedAnswer,
  type NewWebhookView,
  type WebhookView,
} from '../../../api/index.ts';
import { useProject } from '../../../shell/project.ts';
import { texts } from '../../../texts/en/settings-webhooks.ts';
import { Field, FormDialog, Input, Select, TextArea, useSubmit } from '../../../ui/index.ts';

interface WebhookDialogProps {
  /** The webhook to change, with its ETag; absent for a new webhook. */
  readonly changed?: { readonly webhook: WebhookView; readonly etag: string };
  readonly onClose: () => void;
  readonly onDone: (saved: Tagged<NewWebhookView>) => void;
}

interface Draft {
  readonly url: string;
  readonly description: string;
  readonly events: string;
  readonly filter: string;
  readonly format: WebhookView['format'];
}

export function WebhookDialog({ changed, onClose, onDone }: WebhookDialogProps) {
  // The form keeps the webhook and the ETag from the opening of the dialog, even if the page fetches the webhook again.
  // So the service detects a concurrent change.
  const [opened] = useState(changed);
  const [draft, setDraft] = useState<Draft>(() => draftOf(opened?.webhook));
  const submission = useSubmit('url', 'description', 'events', 'filter');
  const { projectId } = useProject();
  const set = (changes: Partial<Draft>): void => setDraft({ ...draft, ...changes });
  const submit = (): Promise<boolean> =>
    submission.send(async () => {
      const body = {
        url: draft.url.trim(),
        description: draft.description.trim(),
        events: draft.events.split(/[\s,]+/).filter((type) => type !== ''),
        filter: draft.filter.trim() === '' ? null : draft.filter.trim(),
        format: draft.format,
      };
      onDone(
        await (opened === undefined
          ? taggedAnswer(
              createWebhook({
                body: { ...body, ...(projectId === undefined ? {} : { project_id: projectId }) },
              }),
            )
          : taggedAnswer(
              changeWebhook({
                path: { id: opened.webhook.id },
                body,
                headers: { 'If-Match': opened.etag },
              }),
            )),
      );
    });
  return (
    <FormDialog
      onClose={onClose}
      title={opened === undefined ? texts.createWebhook : texts.editWebhook}
      action={opened === undefined ? texts.createWebhook : texts.saveWebhook}
      submission={submission}
      onSubmit={() => void submit()}
    >
      <Field label={texts.url} required hint={texts.urlHint} error={submission.faultOf('url')}>
        <Input
          value={draft.url}
          placeholder="https://example.com/events"
          onChange={({ target }) => set({ url: target.value })}
        />
      </Field>
      <Field label={texts.description} error={submission.faultOf('description')}>
        <Input value={draft.description} onChange={({ target }) => set({ description: target.value })} />
      </Field>
      <Field
        label={texts.events}
        required
        hint={texts.eventsHint}
        error={submission.faultOf('events') ?? eventFault(submission.error, submission.faultOf)}
      >
        <TextArea
          rows={2}
          spellCheck={false}
          value={draft.events}
          onChange={({ target }) => set({ events: target.value })}
        />
      </Field>
      <Field label={texts.filter} hint={texts.filterHint} error={submission.faultOf('filter')}>
        <TextArea
          rows={2}
          spellCheck={false}
          value={draft.filter}
          onChange={({ target }) => set({ filter: target.value })}
        />
      </Field>
      <Field label={texts.format} required>
        <Select
          value={draft.format}
          onChange={({ target }) =>
            set({ format: target.value === 'cloudevents' ? 'cloudevents' : 'envelope' })
          }
        >
          <option value="envelope">{texts.eventEnvelope}</option>
          <option value="cloudevents">{texts.cloudEvents10}</option>
        </Select>
      </Field>
    </FormDialog>
  );
}

const MAX_EVENTS = 50;

/** Error message for the first event type that the service refused; undefined if the service refused no event type. */
function eventFault(error: unknown, faultOf: (field: string) => string | undefined): string | undefined {
  if (error === null) return undefined;
  for (let index = 0; index < MAX_EVENTS; index += 1) {
    const fault = faultOf(`events[${index}]`);
    if (fault !== undefined) return texts.typeError(index + 1, fault);
  }
  return undefined;
}

function draftOf(webhook: WebhookView | undefined): Draft {
  return {
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    events: webhook?.events.join(' ') ?? 'workflow.*',
    filter: webhook?.filter ?? '',
    format: webhook?.format ?? 'envelope',
  };
}
