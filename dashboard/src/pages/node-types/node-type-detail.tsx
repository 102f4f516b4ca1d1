import type { NodeTypeView } from '../../api/index.ts';
import { texts } from '../../texts/en/node-types.ts';
import { CodeBlock, CodeText, type Column, DataTable, Dialog, JsonTree } from '../../ui/index.ts';
import { exampleOf, type SchemaRow, schemaRows } from './schema-rows.ts';

const COLUMNS: readonly Column<SchemaRow>[] = [
  {
    id: 'path',
    header: texts.parameter,
    cell: ({ path, type, required }) => (
      <span className="block py-1">
        <code className="mono break-all">{path}</code>
        <span className="block text-small text-text-3">
          {type}
          {required && texts.required}
        </span>
      </span>
    ),
  },
  { id: 'description', header: texts.meaning, cell: ({ description }) => <CodeText text={description} /> },
];

interface NodeTypeDetailProps {
  readonly nodeType: NodeTypeView;
  readonly onClose: () => void;
}

/** Dialog with the reference documentation of a node type. */
export function NodeTypeDetail({ nodeType, onClose }: NodeTypeDetailProps) {
  const { type, title, description, schema, output_schema, version, source } = nodeType;
  const rows = schemaRows(schema);
  const example = { id: 'step', type, with: exampleOf(schema) };
  return (
    <Dialog open onClose={onClose} title={title} description={<CodeText text={description} />}>
      <div className="flex flex-col gap-4">
        <p className="text-text-2">
          {texts.summary(
            <code className="mono">{type}</code>,
            version,
            <code className="mono">{source}</code>,
            capabilityWords(nodeType).join('. '),
          )}
        </p>
        <section className="flex flex-col gap-1">
          <h3 className="font-semibold">{texts.example}</h3>
          <CodeBlock label={texts.exampleNode} code={JSON.stringify(example, null, 2)} />
        </section>
        <section className="flex flex-col gap-1">
          <h3 className="font-semibold">{texts.parameters}</h3>
          {rows.length === 0 ? (
            <p className="text-text-2">{texts.schemaOnly}</p>
          ) : (
            <DataTable label={texts.parameters} rows={rows} columns={COLUMNS} rowKey={({ path }) => path} />
          )}
          <details>
            <summary className="py-1 text-text-2">{texts.parameterSchema}</summary>
            <JsonTree value={schema} label={texts.parameterSchemaData} />
          </details>
          <details>
            <summary className="py-1 text-text-2">{texts.outputSchema}</summary>
            <JsonTree value={output_schema} label={texts.outputSchemaData} />
          </details>
        </section>
      </div>
    </Dialog>
  );
}

export function capabilityWords({ capabilities }: NodeTypeView): readonly string[] {
  return [
    capabilities.pure ? texts.pure : texts.sideEffects,
    ...(capabilities.cacheable ? [texts.cacheable] : []),
    ...(capabilities.suspends ? [texts.suspends] : []),
  ];
}
