import { useId, useState } from 'react';
import {
  changeSchedule,
  createSchedule,
  type ScheduleView,
  type Tagged,
  taggedAnswer,
} from '../../api/index.ts';
import { WorkflowField } from '../../shell/workflow-field.tsx';
import { displayedZone } from '../../format/index.ts';
import { texts } from '../../texts/en/schedules.ts';
import { Field, FormDialog, Input, Select, useSubmit } from '../../ui/index.ts';
import { CronField } from './cron-field.tsx';
import { InputEditor, useInputShape } from './input-editor.tsx';
import { type InputDraft, type InputFaults, newInput, readInput } from './schedule-input.ts';
import { draftOf, fieldsOf, type Overlap, type ScheduleDraft, type TimingKind } from './schedule-form.ts';
import { UNITS } from './timing-text.ts';

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

const OVERLAPS: readonly (readonly [Overlap, string])[] = [
  ['skip', texts.overlapSkip],
  ['queue', texts.overlapQueue],
  ['allow', texts.overlapAllow],
  ['cancel_previous', texts.overlapCancel],
];

interface ScheduleDialogProps {
  /** The schedule to change, with its ETag; absent for a new schedule. */
  readonly changed?: { readonly schedule: ScheduleView; readonly etag: string };
  readonly onClose: () => void;
  readonly onDone: (saved: Tagged<ScheduleView>) => void;
}

export function ScheduleDialog({ changed, onClose, onDone }: ScheduleDialogProps) {
  // The form keeps the schedule and the ETag from the opening of the dialog, even if the page fetches the schedule
  // again. So the service detects a concurrent change.
  const [opened] = useState(changed);
  const [draft, setDraft] = useState(() => draftOf(opened?.schedule, displayedZone()));
  const [input, setInput] = useState<InputDraft>(() => newInput(draft.input));
  const [inputFaults, setInputFaults] = useState<InputFaults>({});
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
  const shape = useInputShape(draft.workflowId);
  const set = (changes: Partial<ScheduleDraft>): void => setDraft({ ...draft, ...changes });
  const submit = async (): Promise<void> => {
    const read = readInput(shape, input);
    const fields = fieldsOf({ ...draft, input: read.text });
    setInputFaults(read.faults);
    setIsWithoutWorkflow(draft.workflowId === '');
    if (fields === undefined || Object.keys(read.faults).length > 0 || draft.workflowId === '') return;
    await submission.send(async () => {
      onDone(
        await (opened === undefined
          ? taggedAnswer(createSchedule({ body: { ...fields, workflow_id: draft.workflowId } }))
          : taggedAnswer(
              changeSchedule({
                path: { id: opened.schedule.id },
                body: fields,
                headers: { 'If-Match': opened.etag },
              }),
            )),
      );
    });
  };
  const action = opened === undefined ? texts.createSchedule : texts.saveSchedule;
  return (
    <FormDialog
      onClose={onClose}
      title={opened === undefined ? texts.createSchedule : texts.editTitle(opened.schedule.name)}
      action={action}
      submission={submission}
      onSubmit={() => void submit()}
    >
      {opened === undefined && (
        <WorkflowField
          isRequired
          value={draft.workflowId}
          onChange={(workflowId) => {
            set({ workflowId });
            setInput(newInput(input.text));
          }}
          error={isWithoutWorkflow ? texts.chooseWorkflow : faultOf('workflow_id')}
        />
      )}
      <Field label={texts.name} error={faultOf('name')}>
        <Input
          value={draft.name}
          placeholder={texts.nameSample}
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
      <TimingFields draft={draft} set={set} faultOf={faultOf} />
      <InputEditor
        shape={shape}
        input={input}
        onChange={setInput}
        faultOf={(path) => inputFaults[path] ?? faultOf(path)}
      />
      <Field label={texts.overlap} required>
        <Select value={draft.overlap} onChange={({ target }) => set({ overlap: target.value as Overlap })}>
          {OVERLAPS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={texts.catchUp} required hint={texts.catchUpHint} error={faultOf('catch_up_seconds')}>
          <Input
            inputMode="numeric"
            value={draft.catchUpSeconds}
            onChange={({ target }) => set({ catchUpSeconds: target.value })}
          />
        </Field>
        <Field label={texts.jitter} required hint={texts.jitterHint} error={faultOf('jitter_seconds')}>
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
      <Field label={texts.timing} required>
        <Select value={draft.kind} onChange={({ target }) => set({ kind: target.value as TimingKind })}>
          <option value="cron">{texts.byCron}</option>
          <option value="every">{texts.atInterval}</option>
          <option value="once">{texts.once}</option>
        </Select>
      </Field>
      {draft.kind === 'cron' && (
        <>
          <Field label={texts.timeZone} required hint={texts.timeZoneHint} error={faultOf('time_zone')}>
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
          <Field label={texts.every} required error={faultOf('every_seconds')}>
            <Input
              inputMode="numeric"
              value={draft.everyCount}
              onChange={({ target }) => set({ everyCount: target.value })}
            />
          </Field>
          <Field label={texts.unit} required>
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
          label={texts.dateAndTime}
          required
          hint={texts.inYourTimeZone(displayedZone())}
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
