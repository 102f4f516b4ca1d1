import type { NodeTypeView } from '../../api/index.ts';
import { CodeBlock, type Column, DataTable, Dialog, JsonTree } from '../../ui/index.ts';
import { exampleOf, type SchemaRow, schemaRows } from './schema-rows.ts';

const COLUMNS: readonly Column<SchemaRow>[] = [
  {
    id: 'path',
    header: 'Parameter',
    cell: ({ path, type, required }) => (
      <span className="block py-1">
        <code className="mono break-all">{path}</code>
        <span className="block text-small text-text-3">
          {type}
          {required && ', required'}
        </span>
      </span>
    ),
  },
  { id: 'description', header: 'Meaning', cell: ({ description }) => description },
];

interface NodeTypeDetailProps {
  readonly nodeType: NodeTypeView;
  readonly onClose: () => void;
}

/** The reference of a node type: everything needed to write such a node. */
export function NodeTypeDetail({ nodeType, onClose }: NodeTypeDetailProps) {
  const { type, title, description, schema, output_schema, version, source } = nodeType;
  const rows = schemaRows(schema);
  const example = { id: 'step', type, with: exampleOf(schema) };
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <div className="flex flex-col gap-4">
        <p className="text-text-2">
          <code className="mono">{type}</code>, version {version}, from <code className="mono">{source}</code>
          . {capabilityWords(nodeType).join('. ')}.
        </p>
        <section className="flex flex-col gap-1">
          <h3 className="font-semibold">Example</h3>
          <CodeBlock label="example node" code={JSON.stringify(example, null, 2)} />
        </section>
        <section className="flex flex-col gap-1">
          <h3 className="font-semibold">Parameters</h3>
          {rows.length === 0 ? (
            <p className="text-text-2">It takes what its schema says:</p>
          ) : (
            <DataTable label="Parameters" rows={rows} columns={COLUMNS} rowKey={({ path }) => path} />
          )}
          <details>
            <summary className="py-1 text-text-2">Schema of the parameters</summary>
            <JsonTree value={schema} label="schema of the parameters" />
          </details>
          <details>
            <summary className="py-1 text-text-2">Schema of the output</summary>
            <JsonTree value={output_schema} label="schema of the output" />
          </details>
        </section>
      </div>
    </Dialog>
  );
}

/** The capabilities of a node type in words. */
export function capabilityWords({ capabilities }: NodeTypeView): readonly string[] {
  return [
    capabilities.pure ? 'Touches nothing outside' : 'May touch the outside',
    ...(capabilities.cacheable ? ['Can be cached'] : []),
    ...(capabilities.suspends ? ['May sleep'] : []),
  ];
}
