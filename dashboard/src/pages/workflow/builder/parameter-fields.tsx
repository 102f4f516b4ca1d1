import { useState } from 'react';
import { texts } from '../../../texts/en/workflow-builder.ts';
import { Button, Checkbox, CodeText, Field, Input, Select, TextArea } from '../../../ui/index.ts';
import type { ExpressionContext } from '../expression-completions.ts';
import { ExpressionField } from '../expression-field.tsx';
import { isExpression, numberOf, type Parameter, parametersOf, textOf, valueOf } from './parameter-text.ts';

type Values = Readonly<Record<string, unknown>>;

interface ParameterFieldsProps {
  readonly parameters: readonly Parameter[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  /** Path of the parameters within the node, such as `with` or `with.approval`. */
  readonly path: string;
  readonly problemAt: (path: string) => string | undefined;
  readonly context: ExpressionContext;
  readonly readOnly: boolean;
}

/** Renders one field for each parameter. A parameter with `x-literal` in its schema accepts no expression. */
export function ParameterFields({ parameters, values, onChange, path, ...shared }: ParameterFieldsProps) {
  return parameters.map((parameter) => (
    <ParameterField
      key={parameter.name}
      {...shared}
      parameter={parameter}
      value={values[parameter.name]}
      path={`${path}.${parameter.name}`}
      onChange={(value) => {
        const { [parameter.name]: _before, ...others } = values;
        onChange(value === undefined ? others : { ...values, [parameter.name]: value });
      }}
    />
  ));
}

interface ParameterFieldProps extends Pick<
  ParameterFieldsProps,
  'path' | 'problemAt' | 'context' | 'readOnly'
> {
  readonly parameter: Parameter;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function ParameterField(props: ParameterFieldProps) {
  const { parameter, value, path, onChange, problemAt, context, readOnly } = props;
  const { kind, label, hint, required, schema } = parameter;
  const problem = problemAt(path);
  const takesExpression = schema['x-literal'] !== true;
  // A parameter of type number always has a text field, because a text field also accepts expressions. If the kind of
  // field changed while the user types, the field would lose the focus.
  const takesText = kind === 'number' || (kind !== 'value' && isExpression(value));
  const shown = takesText && takesExpression ? 'text' : kind;
  const field = { label, hint, required, error: problem };
  switch (shown) {
    case 'text':
      return (
        <ExpressionField
          {...{ label, hint, required, context, problem, readOnly }}
          kind="template"
          placeholder={defaultText(schema)}
          value={typeof value === 'string' ? value : textOf(value)}
          onChange={(text) => onChange(text === '' ? undefined : kind === 'number' ? numberOf(text) : text)}
        />
      );
    case 'literal':
      return (
        <Field {...field}>
          <TextArea
            rows={8}
            spellCheck={false}
            readOnly={readOnly}
            value={typeof value === 'string' ? value : ''}
            onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
          />
        </Field>
      );
    case 'number':
      return (
        <Field {...field}>
          <Input
            inputMode="decimal"
            autoComplete="off"
            readOnly={readOnly}
            value={textOf(value)}
            placeholder={defaultText(schema)}
            onChange={({ target }) => onChange(numberOf(target.value))}
          />
        </Field>
      );
    case 'boolean':
      return (
        <Checkbox
          label={label}
          hint={hint}
          checked={(value ?? schema['default']) === true}
          onChange={(checked) => onChange(checked)}
        />
      );
    case 'choice':
      return (
        <Field {...field}>
          <ChoiceSelect schema={schema} value={value} onChange={onChange} readOnly={readOnly} />
        </Field>
      );
    case 'object':
      return <ObjectFields {...props} />;
    case 'value':
      return <ValueField {...props} />;
  }
}

function ChoiceSelect({
  schema,
  value,
  onChange,
  readOnly,
}: Pick<ParameterFieldProps, 'value' | 'onChange' | 'readOnly'> & { readonly schema: Parameter['schema'] }) {
  const options = Array.isArray(schema['enum']) ? (schema['enum'] as readonly unknown[]) : [];
  const chosen = options.indexOf(value);
  return (
    <Select
      disabled={readOnly}
      value={chosen < 0 ? '' : String(chosen)}
      onChange={({ target }) => onChange(target.value === '' ? undefined : options[Number(target.value)])}
    >
      <option value="">
        {schema['default'] === undefined ? texts.notSet : texts.defaultValue(defaultText(schema))}
      </option>
      {options.map((option, index) => (
        <option key={JSON.stringify(option)} value={String(index)}>
          {typeof option === 'string' ? option : JSON.stringify(option)}
        </option>
      ))}
    </Select>
  );
}

/** Fields for the members of an object parameter, hidden until the user adds the object. */
function ObjectFields(props: ParameterFieldProps) {
  const { parameter, value, onChange, path, ...shared } = props;
  const { label, hint, required, schema } = parameter;
  const isThere = typeof value === 'object' && value !== null;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 font-medium">
        {label}
        {!required && <span className="ml-1 font-normal text-text-3">{texts.optional}</span>}
      </legend>
      {hint !== undefined && (
        <p className="text-small text-text-3">
          <CodeText text={hint} />
        </p>
      )}
      {isThere ? (
        <div className="flex flex-col gap-3 border-l border-border pl-3">
          <ParameterFields
            {...shared}
            parameters={parametersOf(schema)}
            values={value as Values}
            path={path}
            onChange={onChange}
          />
          {!required && !shared.readOnly && (
            <Button kind="quiet" className="self-start" onClick={() => onChange(undefined)}>
              {texts.removeValue(label)}
            </Button>
          )}
        </div>
      ) : (
        <Button className="self-start" disabled={shared.readOnly} onClick={() => onChange({})}>
          {texts.addValue(label)}
        </Button>
      )}
    </fieldset>
  );
}

/**
 * The text that the user typed, the JSON value that the text set in the definition, and an error if the text cannot be
 * parsed.
 */
interface Typed {
  readonly text: string;
  readonly value: string | undefined;
  readonly error: string | undefined;
}

/** Field for a parameter that accepts JSON or text. Text that cannot be parsed does not change the definition. */
function ValueField({ parameter, value, onChange, path, problemAt, context, readOnly }: ParameterFieldProps) {
  const [typed, setTyped] = useState<Typed | null>(null);
  // If something other than the field changes the value, such as an undo, the new value replaces the typed text.
  const isOwn = typed !== null && typed.value === JSON.stringify(value);
  return (
    <ExpressionField
      label={parameter.label}
      hint={parameter.hint}
      required={parameter.required}
      kind="template"
      context={context}
      readOnly={readOnly}
      problem={(isOwn ? typed.error : undefined) ?? problemAt(path)}
      placeholder={texts.textOrJson}
      value={isOwn ? typed.text : textOf(value)}
      onChange={(text) => {
        const read = valueOf(text);
        const next = 'error' in read ? value : read.value;
        setTyped({ text, value: JSON.stringify(next), error: 'error' in read ? read.error : undefined });
        if (!('error' in read)) onChange(next);
      }}
    />
  );
}

function defaultText(schema: Parameter['schema']): string {
  const value = schema['default'];
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}
