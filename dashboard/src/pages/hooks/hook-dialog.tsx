import { useState } from 'react';
import {
  changeHook,
  createHook,
  type HookView,
  type HookWithUrlView,
  type Tagged,
  taggedAnswer,
} from '../../api/index.ts';
import { useProject } from '../../shell/project.ts';
import { WorkflowField } from '../../shell/workflow-field.tsx';
import { texts } from '../../texts/en/hooks.ts';
import { Field, FormDialog, Input, Select, TextArea, useSubmit } from '../../ui/index.ts';
import { type Action, draftOf, fieldsOf, type HookDraft } from './hook-form.ts';
import { VerificationFields } from './verification-fields.tsx';

interface HookDialogProps {
  /** The hook to change, with its ETag; absent for a new hook. */
  readonly changed?: { readonly hook: HookView; readonly etag: string };
  readonly onClose: () => void;
  /** Called with the saved hook. The URL of the hook is included only if the hook is new. */
  readonly onDone: (saved: Tagged<HookView | HookWithUrlView>) => void;
}

export function HookDialog({ changed, onClose, onDone }: HookDialogProps) {
  // The form keeps the hook and the ETag from the opening of the dialog, even if the page fetches the hook again. So
  // the service detects a concurrent change.
  const [opened] = useState(changed);
  const [draft, setDraft] = useState<HookDraft>(() => draftOf(opened?.hook));
  const { projectId } = useProject();
  const submission = useSubmit(
    'workflow_id',
    'name',
    'signal.name',
    'signal.execution_key',
    'verification.secret',
    'verification.header',
    'verification.prefix',
    'input',
    'deduplication',
  );
  const { faultOf } = submission;
  const set = (changes: Partial<HookDraft>): void => setDraft({ ...draft, ...changes });
  const create = () =>
    taggedAnswer(
      createHook({
        body: {
          ...fieldsOf(draft),
          action: draft.action,
          ...(draft.workflowId === ''
            ? { workflow_id: null, ...(projectId === undefined ? {} : { project_id: projectId }) }
            : { workflow_id: draft.workflowId }),
        },
      }),
    );
  const change = (hook: HookView, etag: string) =>
    taggedAnswer(changeHook({ path: { id: hook.id }, body: fieldsOf(draft), headers: { 'If-Match': etag } }));
  return (
    <FormDialog
      onClose={onClose}
      title={opened === undefined ? texts.createHook : texts.editTitle(opened.hook.name)}
      action={opened === undefined ? texts.createHook : texts.saveHook}
      submission={submission}
      onSubmit={() =>
        void submission.send(async () =>
          onDone(await (opened === undefined ? create() : change(opened.hook, opened.etag))),
        )
      }
    >
      {opened === undefined && (
        <>
          <Field label={texts.action} required>
            <Select value={draft.action} onChange={({ target }) => set({ action: target.value as Action })}>
              <option value="start">{texts.startWorkflow}</option>
              <option value="signal">{texts.sendSignalToRunning}</option>
            </Select>
          </Field>
          <WorkflowField
            value={draft.workflowId}
            isRequired={draft.action === 'start'}
            onChange={(workflowId) => set({ workflowId })}
            error={faultOf('workflow_id')}
          />
        </>
      )}
      <Field label={texts.name} error={faultOf('name')}>
        <Input
          value={draft.name}
          placeholder={texts.nameSample}
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
      {draft.action === 'signal' && (
        <>
          <Field label={texts.signal} required error={faultOf('signal.name')}>
            <Input
              value={draft.signalName}
              placeholder="payment_received"
              onChange={({ target }) => set({ signalName: target.value })}
            />
          </Field>
          <Field
            label={texts.targetKey}
            required
            hint={texts.targetKeyHint}
            error={faultOf('signal.execution_key')}
          >
            <Input
              value={draft.executionKey}
              placeholder="order-{{ request.body.order_id }}"
              onChange={({ target }) => set({ executionKey: target.value })}
            />
          </Field>
        </>
      )}
      <VerificationFields draft={draft} set={set} faultOf={faultOf} />
      <Field
        label={draft.action === 'start' ? texts.input : texts.payload}
        hint={texts.inputHint}
        error={faultOf('input')}
      >
        <TextArea
          rows={3}
          spellCheck={false}
          value={draft.input}
          onChange={({ target }) => set({ input: target.value })}
        />
      </Field>
      <Field label={texts.deduplication} hint={texts.deduplicationHint} error={faultOf('deduplication')}>
        <Input
          value={draft.deduplication}
          placeholder="{{ request.body.id }}"
          onChange={({ target }) => set({ deduplication: target.value })}
        />
      </Field>
      {draft.action === 'start' && (
        <Field label={texts.response} required>
          <Select
            value={draft.respond}
            onChange={({ target }) => set({ respond: target.value as HookDraft['respond'] })}
          >
            <option value="accepted">{texts.respondAccepted}</option>
            <option value="output">{texts.respondOutput}</option>
          </Select>
        </Field>
      )}
    </FormDialog>
  );
}
