import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { workflowQuery } from '../../api/index.ts';
import { texts } from '../../texts/en/schedules.ts';
import { Field, InputFields, inputShape, type InputShape, Tabs, TextArea } from '../../ui/index.ts';
import { formOf, type InputDraft, inView, isShownByForm, viewOf } from './schedule-input.ts';

export function useInputShape(workflowId: string): InputShape | undefined {
  const { data } = useQuery({ ...workflowQuery(workflowId), enabled: workflowId !== '' });
  const schema = data?.input_schema;
  return useMemo(() => {
    if (schema === undefined) return undefined;
    const shape = inputShape(schema, texts.input);
    return shape.kind === 'json' ? undefined : shape;
  }, [schema]);
}

interface InputEditorProps {
  readonly shape: InputShape | undefined;
  readonly input: InputDraft;
  readonly onChange: (input: InputDraft) => void;
  readonly faultOf: (path: string) => string | undefined;
}

/**
 * Editor for the input of a schedule, as a form or as JSON. If no form can represent the input schema, only JSON is
 * possible.
 */
export function InputEditor(props: InputEditorProps) {
  const { shape, input, onChange, faultOf } = props;
  if (shape === undefined) return <JsonField {...props} />;
  const view = viewOf(shape, input);
  return (
    <Tabs
      label={texts.viewsOfInput}
      selected={view}
      onSelect={(next) => onChange(inView(shape, input, next === 'form' ? 'form' : 'json'))}
      tabs={[
        {
          id: 'form',
          label: texts.form,
          content: (
            <div className="pt-3">
              <InputFields
                shape={shape}
                draft={view === 'form' ? formOf(shape, input) : ''}
                onChange={(form) => onChange({ ...input, form })}
                path="input"
                faultOf={faultOf}
              />
            </div>
          ),
        },
        {
          id: 'json',
          label: texts.json,
          content: (
            <div className="pt-3">
              <JsonField {...props} />
              {!isShownByForm(shape, input.text) && (
                <p className="text-small text-text-3">{texts.formCannotShow}</p>
              )}
            </div>
          ),
        },
      ]}
    />
  );
}

function JsonField({ input, onChange, faultOf }: InputEditorProps) {
  return (
    <Field label={texts.input} hint={texts.inputHint} error={faultOf('input')}>
      <TextArea
        rows={3}
        spellCheck={false}
        placeholder="{}"
        value={input.text}
        onChange={({ target }) => onChange({ text: target.value, form: null, view: 'json' })}
      />
    </Field>
  );
}
