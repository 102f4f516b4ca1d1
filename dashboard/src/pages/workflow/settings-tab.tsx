import { useNavigate } from '@tanstack/react-router';
import { type Dispatch, type SetStateAction, type SubmitEvent, useState } from 'react';
import { answer, deleteWorkflow, queryClient, type WorkflowView } from '../../api/index.ts';
import { texts } from '../../texts/en/workflow.ts';
import {
  Button,
  Checkbox,
  ConfirmDialog,
  ErrorNote,
  Field,
  Input,
  TextArea,
  useSubmit,
  useToast,
} from '../../ui/index.ts';
import { type LiveWorkflow, patchWorkflow } from './live-workflow.ts';

interface FieldTexts {
  readonly name: string;
  readonly description: string;
  readonly tags: string;
  readonly timeout_seconds: string;
  readonly counts_active: boolean;
  readonly deadline_seconds: string;
  readonly max_concurrency: string;
  readonly max_running: string;
  readonly cache_enabled: boolean;
}

/** Paths of the form fields in the request body, used to show each error of the service at its field. */
const FIELDS = [
  'name',
  'description',
  'tags',
  'config.timeout_seconds',
  'config.deadline_seconds',
  'config.max_concurrency',
  'config.max_running',
] as const;

/** The form fields that the user has changed. The other fields show the saved workflow. */
export type SettingsDraft = Partial<FieldTexts>;

export const NO_CHANGES: SettingsDraft = {};

interface SettingsTabProps {
  readonly live: LiveWorkflow;
  /** The unsaved changes. The page stores the draft, so that the draft survives a switch of tabs. */
  readonly draft: SettingsDraft;
  readonly onDraft: Dispatch<SetStateAction<SettingsDraft>>;
  readonly mayChange: boolean;
}

export function SettingsTab(props: SettingsTabProps) {
  return (
    <div className="flex max-w-[560px] flex-col gap-8 p-5">
      <SettingsForm {...props} />
      {props.mayChange && <DeleteSection workflow={props.live.workflow} />}
    </div>
  );
}

function SettingsForm({ live, draft, onDraft, mayChange }: SettingsTabProps) {
  const { workflow, etag } = live;
  const saved = fieldsOf(workflow);
  const fields = { ...saved, ...draft };
  const toast = useToast();
  const { busy, note, faultOf, send } = useSubmit(...FIELDS);
  const set = (changes: SettingsDraft): void => onDraft((now) => changesTo(saved, { ...now, ...changes }));
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    void send(async () => {
      await patchWorkflow(workflow.id, patchOf(fields), etag);
      // The user may have changed other fields during the save.
      onDraft((now) => changesTo(fields, now));
      toast(texts.settingsSaved);
    });
  };
  return (
    <form noValidate onSubmit={save}>
      <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4">
        <Field label={texts.name} required error={faultOf('name')}>
          <Input value={fields.name} onChange={({ target }) => set({ name: target.value })} />
        </Field>
        <Field label={texts.description} error={faultOf('description')}>
          <TextArea
            className="!font-sans"
            value={fields.description}
            onChange={({ target }) => set({ description: target.value })}
          />
        </Field>
        <Field label={texts.tags} hint={texts.separatedByCommas} error={faultOf('tags')}>
          <Input value={fields.tags} onChange={({ target }) => set({ tags: target.value })} />
        </Field>
        <div className="grid gap-4 sm:grid-cols-3">
          <Field
            label={texts.timeout}
            required
            hint={texts.timeoutHint}
            error={faultOf('config.timeout_seconds')}
          >
            <Input
              inputMode="numeric"
              value={fields.timeout_seconds}
              onChange={({ target }) => set({ timeout_seconds: target.value })}
            />
          </Field>
          <Field
            label={texts.maxConcurrency}
            required
            hint={texts.maxConcurrencyHint}
            error={faultOf('config.max_concurrency')}
          >
            <Input
              inputMode="numeric"
              value={fields.max_concurrency}
              onChange={({ target }) => set({ max_concurrency: target.value })}
            />
          </Field>
          <Field label={texts.maxRunning} hint={texts.maxRunningHint} error={faultOf('config.max_running')}>
            <Input
              inputMode="numeric"
              value={fields.max_running}
              onChange={({ target }) => set({ max_running: target.value })}
            />
          </Field>
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <div className="sm:col-span-2">
            <Checkbox
              label={texts.countActiveTimeOnly}
              hint={texts.activeTimeHint}
              checked={fields.counts_active}
              onChange={(counts_active) => set({ counts_active })}
            />
          </div>
          {fields.counts_active && (
            <Field
              label={texts.deadline}
              hint={texts.deadlineHint}
              error={faultOf('config.deadline_seconds')}
            >
              <Input
                inputMode="numeric"
                value={fields.deadline_seconds}
                onChange={({ target }) => set({ deadline_seconds: target.value })}
              />
            </Field>
          )}
        </div>
        <Checkbox
          label={texts.cachedResults}
          hint={texts.cachedResultsHint}
          checked={fields.cache_enabled}
          onChange={(cache_enabled) => set({ cache_enabled })}
        />
        {note !== null && <ErrorNote error={note} title={texts.settingsWereNotSaved} />}
        {mayChange && (
          <Button kind="primary" type="submit" busy={busy} className="self-start">
            {texts.saveSettings}
          </Button>
        )}
      </fieldset>
    </form>
  );
}

function DeleteSection({ workflow }: { readonly workflow: WorkflowView }) {
  const [asked, setAsked] = useState(false);
  const [cancels, setCancels] = useState(false);
  const navigate = useNavigate();
  const toast = useToast();
  return (
    <section className="flex flex-col gap-3 border-t border-border pt-5">
      <h2 className="text-title font-semibold">{texts.delete}</h2>
      <p className="text-text-2">{texts.deleteKeeps}</p>
      <Checkbox
        label={texts.cancelUnfinished}
        hint={texts.cancelUnfinishedHint}
        checked={cancels}
        onChange={setCancels}
      />
      <Button kind="danger" className="self-start" onClick={() => setAsked(true)}>
        {texts.deleteWorkflow}
      </Button>
      <ConfirmDialog
        open={asked}
        onClose={() => setAsked(false)}
        title={texts.deleteQuestion(workflow.name)}
        description={cancels ? texts.deleteCancels : texts.deleteHint}
        action={texts.deleteAction(workflow.name)}
        onConfirm={async () => {
          await answer(
            deleteWorkflow({ path: { id: workflow.id }, query: { cancel: cancels ? 'true' : 'false' } }),
          );
          await navigate({ to: '/workflows', ignoreBlocker: true });
          queryClient.removeQueries({ queryKey: ['workflows', 'live', workflow.id] });
          void queryClient.invalidateQueries({ queryKey: ['workflows', 'list'] });
          toast(texts.deleted(workflow.name));
        }}
      />
    </section>
  );
}

function fieldsOf({ name, description, tags, config }: WorkflowView): FieldTexts {
  return {
    name,
    description,
    tags: tags.join(', '),
    timeout_seconds: String(config.timeout_seconds ?? ''),
    counts_active: config.timeout_counts === 'active',
    deadline_seconds: String(config.deadline_seconds ?? ''),
    max_concurrency: String(config.max_concurrency ?? ''),
    max_running: String(config.max_running ?? ''),
    cache_enabled: config.cache_enabled === true,
  };
}

/** Returns the changes whose values differ from `fields`. */
function changesTo(fields: FieldTexts, changes: SettingsDraft): SettingsDraft {
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => fields[name as keyof FieldTexts] !== value),
  );
}

function patchOf(fields: FieldTexts): Readonly<Record<string, unknown>> {
  const { name, description, tags, timeout_seconds, max_concurrency, max_running, cache_enabled } = fields;
  const { counts_active, deadline_seconds } = fields;
  return {
    name: name.trim(),
    description,
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    config: {
      timeout_seconds: figure(timeout_seconds),
      timeout_counts: counts_active ? 'active' : 'elapsed',
      deadline_seconds: counts_active ? figure(deadline_seconds) : null,
      max_concurrency: figure(max_concurrency),
      max_running: figure(max_running),
      cache_enabled,
    },
  };
}

/**
 * Parses a number from a text field; null if the text is empty. Other text stays unchanged, so that the service reports
 * the error.
 */
function figure(text: string): number | string | null {
  if (text.trim() === '') return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
