import { Trash2, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { NodeDto, NodeTypeView } from '../../../api/index.ts';
import { texts } from '../../../texts/en/workflow-builder.ts';
import { CodeText, CopyIcon, Field, IconButton, Input, messageOf, Select } from '../../../ui/index.ts';
import type { ExpressionContext } from '../expression-completions.ts';
import { ExpressionField } from '../expression-field.tsx';
import type { Problem } from '../../../editor/json-editor.tsx';
import { type Address, addressKey, copyNodes, type Definition, needsOf, nodesIn } from './definition.ts';
import { NODE_OPTIONS } from './node-options.ts';
import { ParameterFields } from './parameter-fields.tsx';
import { parametersOf } from './parameter-text.ts';
import { fieldInNode } from './problem-places.ts';

export interface NodeFormActions {
  /** @param group edits with the same group, such as edits of one field, are undone together */
  readonly change: (address: Address, change: (node: NodeDto) => NodeDto, group: string) => void;
  /** @throws EditError if the id is malformed or already in use */
  readonly rename: (address: Address, id: string) => void;
  readonly connect: (from: Address, to: Address) => void;
  readonly disconnect: (from: Address, to: Address) => void;
  readonly move: (address: Address, loop: string | null) => void;
  readonly remove: (address: Address) => void;
}

interface NodeFormProps {
  readonly definition: Definition;
  readonly address: Address;
  readonly node: NodeDto;
  readonly type: NodeTypeView | undefined;
  /** Ids of the loops into which the user can move the node. */
  readonly loops: readonly string[];
  readonly problems: readonly Problem[];
  readonly context: ExpressionContext;
  readonly actions: NodeFormActions;
  readonly readOnly: boolean;
  readonly children?: ReactNode;
}

export function NodeForm(props: NodeFormProps) {
  const { definition, address, node, type, loops, problems, context, actions, readOnly, children } = props;
  const problemAt = (path: string): string | undefined =>
    problems.find(({ field }) => {
      const inside = fieldInNode(field, address);
      return inside === path || inside.startsWith(`${path}[`);
    })?.reason;
  const set = (field: keyof NodeDto) => (value: unknown) =>
    actions.change(address, (before) => withField(before, field, value), `${addressKey(address)} ${field}`);
  const isLoop = type?.capabilities.iterates === true;
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <h2 className="text-title font-semibold wrap-anywhere">{node.name ?? node.id}</h2>
          <p className="text-small text-text-3">
            <CodeText text={type?.description ?? texts.unknownType(node.type)} />
          </p>
        </div>
        <CopyIcon value={copyNodes(definition, [address])} label={texts.copyNodeAsJson} />
        <IconButton
          label={texts.deleteNode}
          icon={<Trash2 size={14} />}
          disabled={readOnly}
          onClick={() => actions.remove(address)}
        />
      </div>
      <div className="grid grid-cols-2 gap-3">
        <IdField {...{ node, address, actions, readOnly }} problem={problemAt('id')} />
        <Field label={texts.name}>
          <Input
            value={node.name ?? ''}
            maxLength={255}
            autoComplete="off"
            readOnly={readOnly}
            onChange={({ target }) => set('name')(target.value === '' ? undefined : target.value)}
          />
        </Field>
      </div>
      <RunsAfter {...props} />
      <ExpressionField
        label={texts.condition}
        hint={texts.conditionHint}
        kind="condition"
        context={context}
        readOnly={readOnly}
        problem={problemAt('if')}
        value={node.if ?? ''}
        onChange={(text) => set('if')(text === '' ? undefined : text)}
      />
      {type !== undefined && (
        <ParameterFields
          parameters={parametersOf(type.schema, isLoop)}
          values={node.with ?? {}}
          path="with"
          {...{ problemAt, context, readOnly }}
          onChange={set('with')}
        />
      )}
      {children}
      <details className="rounded-md border border-border">
        <summary className="px-3 py-2 font-medium">{texts.retriesTimeoutAndErrors}</summary>
        <div className="flex flex-col gap-3 border-t border-border p-3">
          <ParameterFields
            parameters={NODE_OPTIONS}
            values={node}
            path=""
            problemAt={(path) => problemAt(path.slice(1))}
            {...{ context, readOnly }}
            onChange={(values) =>
              actions.change(address, () => values as NodeDto, `${addressKey(address)} options`)
            }
          />
          {(loops.length > 0 || address.loop !== null) && !isLoop && (
            <Field label={texts.loopNodes} required>
              <Select
                value={address.loop ?? ''}
                disabled={readOnly}
                onChange={({ target }) => actions.move(address, target.value === '' ? null : target.value)}
              >
                <option value="">{texts.workflow}</option>
                {loops.map((loop) => (
                  <option key={loop} value={loop}>
                    {loop}
                  </option>
                ))}
              </Select>
            </Field>
          )}
        </div>
      </details>
    </div>
  );
}

/**
 * Field for the id of a node. The id changes only when the user leaves the field, because each change rewrites all
 * references.
 */
function IdField({
  node,
  address,
  actions,
  readOnly,
  problem,
}: Pick<NodeFormProps, 'node' | 'address' | 'actions' | 'readOnly'> & {
  readonly problem: string | undefined;
}) {
  const [typed, setTyped] = useState(node.id);
  const [error, setError] = useState<string | undefined>(undefined);
  const commit = (): void => {
    try {
      setError(undefined);
      actions.rename(address, typed);
    } catch (failure) {
      setError(messageOf(failure));
    }
  };
  return (
    <Field label={texts.id} required error={error ?? problem}>
      <Input
        className="mono"
        value={typed}
        autoComplete="off"
        spellCheck={false}
        readOnly={readOnly}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
    </Field>
  );
}

function RunsAfter({ definition, address, node, actions, readOnly }: NodeFormProps) {
  const siblings = nodesIn(definition, address.loop);
  const needs = needsOf(node, siblings);
  const others = siblings.filter(({ id }) => id !== node.id && !needs.some((need) => need.id === id));
  const at = (id: string): Address => ({ loop: address.loop, id });
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 font-medium">{texts.runsAfter}</legend>
      {needs.length === 0 && (
        <p className="text-text-2">
          {address.loop === null ? texts.runsWhenExecutionStarts : texts.runsWhenItemStarts}
        </p>
      )}
      <ul className="flex flex-wrap gap-1.5">
        {needs.map(({ id, referenced }) => (
          <li key={id} className="flex h-7 items-center gap-1 rounded-sm border border-border bg-muted pl-2">
            <span className="mono">{id}</span>
            {referenced ? (
              <span className="pr-2 text-small text-text-2">{texts.byExpression}</span>
            ) : (
              <IconButton
                label={texts.removeConnectionFrom(id)}
                icon={<X size={12} />}
                disabled={readOnly}
                onClick={() => actions.disconnect(at(id), address)}
              />
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && !readOnly && (
        <Select
          aria-label={texts.connectFromNode}
          value=""
          onChange={({ target }) => actions.connect(at(target.value), address)}
        >
          <option value="">{texts.connectFrom}</option>
          {others.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </Select>
      )}
    </fieldset>
  );
}

function withField(node: NodeDto, field: keyof NodeDto, value: unknown): NodeDto {
  const { [field]: _before, ...others } = node;
  return (value === undefined ? others : { ...node, [field]: value }) as NodeDto;
}
