import { useState } from 'react';
import {
  answer,
  changeWebhook,
  createWebhook,
  type NewWebhookView,
  type WebhookView,
} from '../../../api/index.ts';
import { useProject } from '../../../shell/project.ts';
import { Field, FormDialog, Input, Select, TextArea, useSubmit } from '../../../ui/index.ts';

interface WebhookDialogProps {
  /** The webhook that is changed, with its tag; absent for a new one. */
  readonly changed?: { readonly webhook: WebhookView; readonly etag: string };
  readonly onClose: () => void;
  readonly onDone: (webhook: NewWebhookView) => void;
}

interface Draft {
  readonly url: string;
  readonly description: string;
  readonly events: string;
  readonly filter: string;
  readonly format: WebhookView['format'];
}

/** Creates a webhook or changes one. */
export function WebhookDialog({ changed, onClose, onDone }: WebhookDialogProps) {
  // The page behind reads the webhook again and again; the form changes what it was opened with.
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
          ? answer(
              createWebhook({
                body: { ...body, ...(projectId === undefined ? {} : { project_id: projectId }) },
              }),
            )
          : answer(
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
      title={opened === undefined ? 'Create webhook' : 'Edit webhook'}
      action={opened === undefined ? 'Create webhook' : 'Save webhook'}
      submission={submission}
      onSubmit={() => void submit()}
    >
      <Field
        label="URL"
        required
        hint="Events are sent here by HTTP POST. Private addresses need EGRESS_ALLOW."
        error={submission.faultOf('url')}
      >
        <Input
          value={draft.url}
          placeholder="https://example.com/events"
          onChange={({ target }) => set({ url: target.value })}
        />
      </Field>
      <Field label="Description" error={submission.faultOf('description')}>
        <Input value={draft.description} onChange={({ target }) => set({ description: target.value })} />
      </Field>
      <Field
        label="Events"
        required
        hint="Types separated by spaces. workflow.* and workflow.node.* stand for all types that begin so."
        error={submission.faultOf('events') ?? eventFault(submission.error, submission.faultOf)}
      >
        <TextArea
          rows={2}
          spellCheck={false}
          value={draft.events}
          onChange={({ target }) => set({ events: target.value })}
        />
      </Field>
      <Field
        label="Filter"
        hint="A CEL condition over event, such as event.data.status == 'timed_out'."
        error={submission.faultOf('filter')}
      >
        <TextArea
          rows={2}
          spellCheck={false}
          value={draft.filter}
          onChange={({ target }) => set({ filter: target.value })}
        />
      </Field>
      <Field label="Format" required>
        <Select
          value={draft.format}
          onChange={({ target }) =>
            set({ format: target.value === 'cloudevents' ? 'cloudevents' : 'envelope' })
          }
        >
          <option value="envelope">Event envelope</option>
          <option value="cloudevents">CloudEvents 1.0</option>
        </Select>
      </Field>
    </FormDialog>
  );
}

const MAX_EVENTS = 50;

/** The fault of the first event type that the service refused. */
function eventFault(error: unknown, faultOf: (field: string) => string | undefined): string | undefined {
  if (error === null) return undefined;
  for (let index = 0; index < MAX_EVENTS; index += 1) {
    const fault = faultOf(`events[${index}]`);
    if (fault !== undefined) return `Type ${index + 1} ${fault}`;
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
