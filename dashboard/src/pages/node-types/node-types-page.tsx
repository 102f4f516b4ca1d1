import { useQuery } from '@tanstack/react-query';
import { nodeTypesQuery, type NodeTypeView } from '../../api/index.ts';
import { Button, type Column, EmptyState, ListPage, useListSearch, useUrlSearch } from '../../ui/index.ts';
import { capabilityWords, NodeTypeDetail } from './node-type-detail.tsx';

function ShowButton({ type }: { readonly type: string }) {
  const [, change] = useUrlSearch();
  return (
    <Button onClick={() => change({ type })} aria-label={`Show ${type}`}>
      Show
    </Button>
  );
}

const COLUMNS: readonly Column<NodeTypeView>[] = [
  { id: 'type', header: 'Type', cell: ({ type }) => <code className="mono">{type}</code> },
  { id: 'description', header: 'Description', wideOnly: true, cell: ({ description }) => description },
  {
    id: 'capabilities',
    header: 'Capabilities',
    wideOnly: true,
    cell: (nodeType) => <span className="text-text-2">{capabilityWords(nodeType).join(' · ')}</span>,
  },
  {
    id: 'source',
    header: 'From',
    wideOnly: true,
    cell: ({ source }) => <code className="mono text-text-2">{source}</code>,
  },
  {
    id: 'show',
    header: 'Reference',
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
        title="Node types"
        label="Node types"
        noun={['node type', 'node types']}
        search={useListSearch()}
        query={query}
        columns={COLUMNS}
        rowKey={({ type }) => type}
        empty={<EmptyState title="No node types" />}
      />
      {shown !== undefined && <NodeTypeDetail nodeType={shown} onClose={() => change({ type: undefined })} />}
    </>
  );
}
