import { useId, useState } from 'react';
import { answer, changeSchedule, createSchedule, type ScheduleView } from '../../api/index.ts';
import { WorkflowField } from '../../shell/workflow-field.tsx';
import { Field, FormDialog, Input, Select, TextArea, useSubmit } from '../../ui/index.ts';
import { CronField } from './cron-field.tsx';
import { draftOf, fieldsOf, type Overlap, type ScheduleDraft, type TimingKind } from './schedule-form.ts';
import { UNITS } from './timing-text.ts';

const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

const OVERLAPS: readonly (readonly [Overlap, string])[] = [
  ['skip', 'Skip the new run'],
  ['queue', 'Start the new run when the earlier one has ended'],
  ['allow', 'Start the new run at once'],
  ['cancel_previous', 'Cancel the earlier run and start the new one'],
];

interface ScheduleDialogProps {
  /** The schedule to change with its ETag; absent for a new one. */
  readonly changed?: { readonly schedule: ScheduleView; readonly etag: string };
  readonly onClose: () => void;
  readonly onDone: (schedule: ScheduleView) => void;
}

/** The form that creates or changes a schedule. */
export function ScheduleDialog({ changed, onClose, onDone }: ScheduleDialogProps) {
  // The page refetches the schedule repeatedly; the form edits the version it was opened with.
  const [opened] = useState(changed);
  const [draft, setDraft] = useState(() => draftOf(opened?.schedule, BROWSER_ZONE));
  const [isNotJson, setIsNotJson] = useState(false);
  const [isWithoutWorkflow, setIsWithoutWorkflow] = useState(false);
  const submission = useSubmit(
    'workflow_id',
    'name',
    'cron',
    'every_seconds',
    'at',
    'time_zone',
    'input',
    'catch_up_seconds',
    'jitter_seconds',
  );
  const { faultOf } = submission;
  const set = (changes: Partial<ScheduleDraft>): void => setDraft({ ...draft, ...changes });
  const submit = async (): Promise<void> => {
    const fields = fieldsOf(draft);
    setIsNotJson(fields === undefined);
    setIsWithoutWorkflow(draft.workflowId === '');
    if (fields === undefined || draft.workflowId === '') return;
    await submission.send(async () => {
      onDone(
        await (opened === undefined
          ? answer(createSchedule({ body: { ...fields, workflow_id: draft.workflowId } }))
          : answer(
              changeSchedule({
                path: { id: opened.schedule.id },
                body: fields,
                headers: { 'If-Match': opened.etag },
              }),
            )),
      );
    });
  };
  const action = opened === undefined ? 'Create schedule' : 'Save schedule';
  return (
    <FormDialog
      onClose={onClose}
      title={opened === undefined ? 'Create schedule' : `Edit ${opened.schedule.name}`}
      action={action}
      submission={submission}
      onSubmit={() => void submit()}
    >
      {opened === undefined && (
        <WorkflowField
          isRequired
          value={draft.workflowId}
          onChange={(workflowId) => set({ workflowId })}
          error={isWithoutWorkflow ? 'Choose a workflow.' : faultOf('workflow_id')}
        />
      )}
      <Field label="Name" error={faultOf('name')}>
        <Input
          value={draft.name}
          placeholder="Morning report"
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
      <TimingFields draft={draft} set={set} faultOf={faultOf} />
      <Field
        label="Input"
        hint="JSON that each run starts with."
        error={isNotJson ? 'This is not JSON. Check quotes and commas.' : faultOf('input')}
      >
        <TextArea
          rows={3}
          spellCheck={false}
          placeholder="{}"
          value={draft.input}
          onChange={({ target }) => set({ input: target.value })}
        />
      </Field>
      <Field label="While an earlier run goes on" required>
        <Select value={draft.overlap} onChange={({ target }) => set({ overlap: target.value as Overlap })}>
          {OVERLAPS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Catch up"
          required
          hint="Seconds. Runs missed by less than this start late; older ones are skipped."
          error={faultOf('catch_up_seconds')}
        >
          <Input
            inputMode="numeric"
            value={draft.catchUpSeconds}
            onChange={({ target }) => set({ catchUpSeconds: target.value })}
          />
        </Field>
        <Field
          label="Jitter"
          required
          hint="Seconds. Each run starts up to this much later, to spread load."
          error={faultOf('jitter_seconds')}
        >
          <Input
            inputMode="numeric"
            value={draft.jitterSeconds}
            onChange={({ target }) => set({ jitterSeconds: target.value })}
          />
        </Field>
      </div>
    </FormDialog>
  );
}

interface TimingFieldsProps {
  readonly draft: ScheduleDraft;
  readonly set: (changes: Partial<ScheduleDraft>) => void;
  readonly faultOf: (field: string) => string | undefined;
}

function TimingFields({ draft, set, faultOf }: TimingFieldsProps) {
  const zones = useId();
  return (
    <>
      <Field label="Runs" required>
        <Select value={draft.kind} onChange={({ target }) => set({ kind: target.value as TimingKind })}>
          <option value="cron">By a cron expression</option>
          <option value="every">At an interval</option>
          <option value="once">Once</option>
        </Select>
      </Field>
      {draft.kind === 'cron' && (
        <>
          <Field
            label="Time zone"
            required
            hint="Whose clock the expression speaks of."
            error={faultOf('time_zone')}
          >
            <Input
              list={zones}
              autoComplete="off"
              value={draft.timeZone}
              onChange={({ target }) => set({ timeZone: target.value })}
            />
          </Field>
          <datalist id={zones}>
            {TIME_ZONES.map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </datalist>
          <CronField
            cron={draft.cron}
            timeZone={draft.timeZone}
            onChange={(cron) => set({ cron })}
            error={faultOf('cron')}
          />
        </>
      )}
      {draft.kind === 'every' && (
        <div className="grid grid-cols-2 gap-4">
          <Field label="Every" required error={faultOf('every_seconds')}>
            <Input
              inputMode="numeric"
              value={draft.everyCount}
              onChange={({ target }) => set({ everyCount: target.value })}
            />
          </Field>
          <Field label="Unit" required>
            <Select
              value={draft.everyUnit}
              onChange={({ target }) => set({ everyUnit: Number(target.value) })}
            >
              {UNITS.map(({ value, many }) => (
                <option key={value} value={value}>
                  {many}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      )}
      {draft.kind === 'once' && (
        <Field
          label="Date and time"
          required
          hint={`In your time zone, ${BROWSER_ZONE}.`}
          error={faultOf('at')}
        >
          <Input
            type="datetime-local"
            value={draft.at}
            onChange={({ target }) => set({ at: target.value })}
          />
        </Field>
      )}
    </>
  );
}
