import { Plus, X } from 'lucide-react';
import { texts } from '../texts/en/workflow-input.ts';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { Field } from './field.tsx';
import { IconButton } from './icon-button.tsx';
import { Input, Select, TextArea } from './input.tsx';
import { type Draft, draftOf, draftText, type InputShape } from './input-shape.ts';

interface InputFieldsProps {
  readonly shape: InputShape;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /**
   * Path of the field in the request body, such as `input.customer.name`. Errors of the service refer to fields by this
   * path.
   */
  readonly path: string;
  readonly faultOf: (path: string) => string | undefined;
}

export function InputFields(props: InputFieldsProps) {
  const { shape, draft, onChange, path, faultOf } = props;
  const error = faultOf(path);
  if (shape.kind === 'object') return <ObjectFields {...props} />;
  if (shape.kind === 'list') return <ListFields {...props} />;
  if (shape.kind === 'boolean')
    return (
      <div>
        <Checkbox label={shape.label} hint={shape.hint} checked={draft === true} onChange={onChange} />
        <Fault reason={error} />
      </div>
    );
  const hint = shape.kind === 'json' ? (shape.hint ?? texts.anyJsonHint) : shape.hint;
  return (
    <Field label={shape.label} hint={hint} error={error} required={shape.required}>
      {shape.kind === 'choice' ? (
        <Select value={draftText(draft)} onChange={(event) => onChange(event.target.value)}>
          <option value="">{texts.choose}</option>
          {shape.options.map((option, index) => (
            <option key={JSON.stringify(option)} value={String(index)}>
              {typeof option === 'string' ? option : JSON.stringify(option)}
            </option>
          ))}
        </Select>
      ) : shape.kind === 'json' ? (
        <TextArea
          value={draftText(draft)}
          onChange={(event) => onChange(event.target.value)}
          spellCheck={false}
        />
      ) : (
        <Input
          value={draftText(draft)}
          onChange={(event) => onChange(event.target.value)}
          autoComplete="off"
          inputMode={shape.kind === 'text' ? 'text' : 'decimal'}
        />
      )}
    </Field>
  );
}

function ObjectFields({ shape, draft, onChange, path, faultOf }: InputFieldsProps) {
  if (shape.kind !== 'object') return null;
  const values = typeof draft === 'object' && !Array.isArray(draft) ? (draft as Record<string, Draft>) : {};
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className={path === 'input' ? 'sr-only' : 'mb-1 font-medium'}>{shape.label}</legend>
      <Fault reason={faultOf(path)} />
      <div className={`flex flex-col gap-3 ${path === 'input' ? '' : 'border-l border-border pl-3'}`}>
        {shape.fields.map(([name, field]) => (
          <InputFields
            key={name}
            shape={field}
            draft={values[name] ?? draftOf(field)}
            onChange={(next) => onChange({ ...values, [name]: next })}
            path={`${path}.${name}`}
            faultOf={faultOf}
          />
        ))}
      </div>
    </fieldset>
  );
}

function ListFields({ shape, draft, onChange, path, faultOf }: InputFieldsProps) {
  if (shape.kind !== 'list') return null;
  const items = Array.isArray(draft) ? (draft as readonly Draft[]) : [];
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">{shape.label}</legend>
      {shape.hint !== undefined && <p className="text-small text-text-3">{shape.hint}</p>}
      <Fault reason={faultOf(path)} />
      {items.map((item, index) => (
        // List items have no ids, so the React key contains the index.
        <div key={`${path}[${index}]`} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <InputFields
              shape={{ ...shape.item, label: `${shape.label} ${index + 1}` }}
              draft={item}
              onChange={(next) => onChange(items.map((each, at) => (at === index ? next : each)))}
              path={`${path}[${index}]`}
              faultOf={faultOf}
            />
          </div>
          <IconButton
            label={texts.removeItem(shape.label, index + 1)}
            icon={<X size={14} />}
            onClick={() => onChange(items.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        className="self-start"
        icon={<Plus size={14} aria-hidden />}
        onClick={() => onChange([...items, draftOf(shape.item)])}
      >
        {texts.addItem(shape.label)}
      </Button>
    </fieldset>
  );
}

function Fault({ reason }: { readonly reason: string | undefined }) {
  if (reason === undefined) return null;
  return (
    <p role="alert" className="text-small text-failed">
      {reason}
    </p>
  );
}
