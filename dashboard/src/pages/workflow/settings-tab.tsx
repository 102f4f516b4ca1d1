import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { answer, deleteWorkflow, queryClient, type WorkflowView } from '../../api/index.ts';
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

interface Texts {
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

/** Paths of the fields in the form. */
const FIELDS = [
  'name',
  'description',
  'tags',
  'config.timeout_seconds',
  'config.deadline_seconds',
  'config.max_concurrency',
  'config.max_running',
] as const;

interface SettingsTabProps {
  readonly live: LiveWorkflow;
  readonly mayChange: boolean;
}

export function SettingsTab({ live, mayChange }: SettingsTabProps) {
  return (
    <div className="flex max-w-[560px] flex-col gap-8 p-5">
      {/* The `key` resets the form when the workflow was refetched with another ETag. */}
      <SettingsForm key={live.etag} live={live} mayChange={mayChange} />
      {mayChange && <DeleteSection workflow={live.workflow} />}
    </div>
  );
}

function SettingsForm({ live, mayChange }: SettingsTabProps) {
  const { workflow, etag } = live;
  const [texts, setTexts] = useState(() => textsOf(workflow));
  const toast = useToast();
  const { busy, note, faultOf, send } = useSubmit(...FIELDS);
  const set = (changes: Partial<Texts>): void => setTexts({ ...texts, ...changes });
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    void send(async () => {
      await patchWorkflow(workflow.id, patchOf(texts), etag);
      toast('Settings saved');
    });
  };
  return (
    <form noValidate onSubmit={save}>
      <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4">
        <Field label="Name" required error={faultOf('name')}>
          <Input value={texts.name} onChange={({ target }) => set({ name: target.value })} />
        </Field>
        <Field label="Description" error={faultOf('description')}>
          <TextArea
            className="!font-sans"
            value={texts.description}
            onChange={({ target }) => set({ description: target.value })}
          />
        </Field>
        <Field label="Tags" hint="Separated by commas." error={faultOf('tags')}>
          <Input value={texts.tags} onChange={({ target }) => set({ tags: target.value })} />
        </Field>
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label="Time for a run" required hint="Seconds." error={faultOf('config.timeout_seconds')}>
            <Input
              inputMode="numeric"
              value={texts.timeout_seconds}
              onChange={({ target }) => set({ timeout_seconds: target.value })}
            />
          </Field>
          <Field
            label="Nodes at once"
            required
            hint="Inside one run."
            error={faultOf('config.max_concurrency')}
          >
            <Input
              inputMode="numeric"
              value={texts.max_concurrency}
              onChange={({ target }) => set({ max_concurrency: target.value })}
            />
          </Field>
          <Field label="Runs at once" hint="Empty for no cap." error={faultOf('config.max_running')}>
            <Input
              inputMode="numeric"
              value={texts.max_running}
              onChange={({ target }) => set({ max_running: target.value })}
            />
          </Field>
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <div className="sm:col-span-2">
            <Checkbox
              label="Count active time only"
              hint="Waits of more than 5 seconds, approvals, child executions and pauses do not count."
              checked={texts.counts_active}
              onChange={(counts_active) => set({ counts_active })}
            />
          </div>
          {texts.counts_active && (
            <Field
              label="Deadline"
              hint="Seconds from the start, waiting included. Empty for none."
              error={faultOf('config.deadline_seconds')}
            >
              <Input
                inputMode="numeric"
                value={texts.deadline_seconds}
                onChange={({ target }) => set({ deadline_seconds: target.value })}
              />
            </Field>
          )}
        </div>
        <Checkbox
          label="Use cached results"
          hint="Of nodes whose type allows it."
          checked={texts.cache_enabled}
          onChange={(cache_enabled) => set({ cache_enabled })}
        />
        {note !== null && <ErrorNote error={note} title="The settings were not saved." />}
        {mayChange && (
          <Button kind="primary" type="submit" busy={busy} className="self-start">
            Save settings
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
      <h2 className="text-title font-semibold">Delete</h2>
      <p className="text-text-2">Its runs and their history stay.</p>
      <Checkbox
        label="Cancel what still runs"
        hint="Without this, a workflow with unfinished runs is not deleted."
        checked={cancels}
        onChange={setCancels}
      />
      <Button kind="danger" className="self-start" onClick={() => setAsked(true)}>
        Delete workflow
      </Button>
      <ConfirmDialog
        open={asked}
        onClose={() => setAsked(false)}
        title={`Delete ${workflow.name}?`}
        description={
          cancels
            ? 'It cannot be started any more, and what still runs is cancelled.'
            : 'It cannot be started any more.'
        }
        action={`Delete ${workflow.name}`}
        onConfirm={async () => {
          await answer(
            deleteWorkflow({ path: { id: workflow.id }, query: { cancel: cancels ? 'true' : 'false' } }),
          );
          await navigate({ to: '/workflows' });
          queryClient.removeQueries({ queryKey: ['workflows', 'live', workflow.id] });
          void queryClient.invalidateQueries({ queryKey: ['workflows', 'list'] });
          toast(`${workflow.name} is deleted`);
        }}
      />
    </section>
  );
}

function textsOf({ name, description, tags, config }: WorkflowView): Texts {
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

function patchOf(texts: Texts): Readonly<Record<string, unknown>> {
  const { name, description, tags, timeout_seconds, max_concurrency, max_running, cache_enabled } = texts;
  const { counts_active, deadline_seconds } = texts;
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
 * The number in a text; null if empty. A text that is not a number is returned unchanged, so that the service reports
 * the error.
 */
function figure(text: string): number | string | null {
  if (text.trim() === '') return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
