import { useQuery } from '@tanstack/react-query';
import { nodeTypesQuery, type NodeTypeView } from '../../api/index.ts';
import { texts } from '../../texts/en/node-types.ts';
import {
  Button,
  CodeText,
  type Column,
  EmptyState,
  ListPage,
  useListSearch,
  useUrlSearch,
} from '../../ui/index.ts';
import { capabilityWords, NodeTypeDetail } from './node-type-detail.tsx';

function ShowButton({ type }: { readonly type: string }) {
  const [, change] = useUrlSearch();
  return (
    <Button onClick={() => change({ type })} aria-label={texts.showType(type)}>
      {texts.show}
    </Button>
  );
}

const COLUMNS: readonly Column<NodeTypeView>[] = [
  {
    id: 'type',
    header: texts.type,
    cell: ({ type, description }) => (
      <div className="max-md:py-2">
        <code className="mono">{type}</code>
        <p className="text-text-2 md:hidden">
          <CodeText text={description} />
        </p>
      </div>
    ),
  },
  {
    id: 'description',
    header: texts.description,
    wideOnly: true,
    cell: ({ description }) => <CodeText text={description} />,
  },
  {
    id: 'capabilities',
    header: texts.capabilities,
    wideOnly: true,
    cell: (nodeType) => <span className="text-text-2">{capabilityWords(nodeType).join(' · ')}</span>,
  },
  {
    id: 'source',
    header: texts.source,
    wideOnly: true,
    cell: ({ source }) => <code className="mono whitespace-nowrap text-text-2">{source}</code>,
  },
  {
    id: 'show',
    header: texts.reference,
    hideHeader: true,
    align: 'right',
    cell: ({ type }) => <ShowButton type={type} />,
  },
];

export function NodeTypesPage() {
  const [{ type: shownType }, change] = useUrlSearch();
  const query = useQuery(nodeTypesQuery);
  const shown = query.data?.data.find(({ type }) => type === shownType);
  return (
    <>
      <ListPage
        title={texts.nodeTypes}
        label={texts.nodeTypes}
        noun={texts.nodeTypeNoun}
        search={useListSearch()}
        query={query}
        columns={COLUMNS}
        rowKey={({ type }) => type}
        empty={<EmptyState title={texts.noNodeTypes} docs="node-types/index" />}
      />
      {shown !== undefined && <NodeTypeDetail nodeType={shown} onClose={() => change({ type: undefined })} />}
    </>
  );
}
