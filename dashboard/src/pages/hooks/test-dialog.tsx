import { useState } from 'react';
import { answer, type HookView, testHook } from '../../api/index.ts';
import { texts } from '../../texts/en/hooks.ts';
import { Field, FormDialog, Select, TextArea, useSubmit, useToast } from '../../ui/index.ts';
import { templateOf } from './hook-form.ts';

interface TestDialogProps {
  readonly hook: HookView;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Dialog that sends an unsigned test request to a hook. */
export function TestDialog({ hook, onClose, onDone }: TestDialogProps) {
  const [method, setMethod] = useState(hook.methods[0] ?? 'POST');
  const [body, setBody] = useState('{ "hello": "world" }');
  const submission = useSubmit('body');
  const toast = useToast();
  return (
    <FormDialog
      onClose={onClose}
      title={texts.sendTestTitle(hook.name)}
      description={hook.action === 'start' ? texts.testStarts : texts.testSignals}
      action={texts.sendTest}
      submission={submission}
      onSubmit={() =>
        void submission
          .send(async () => {
            await answer(testHook({ path: { id: hook.id }, body: { method, body: templateOf(body) } }));
            toast(texts.testAccepted);
            onClose();
          })
          // The list of requests is fetched again even after an error, because the list also contains refused requests.
          .then(onDone)
      }
    >
      {hook.methods.length > 1 && (
        <Field label={texts.method} required>
          <Select value={method} onChange={({ target }) => setMethod(target.value as typeof method)}>
            {hook.methods.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label={texts.body} hint={texts.bodyHint} error={submission.faultOf('body')}>
        <TextArea rows={6} spellCheck={false} value={body} onChange={({ target }) => setBody(target.value)} />
      </Field>
    </FormDialog>
  );
}
