import { useState } from 'react';
import { Button, ErrorNote, JsonTree, Skeleton } from '../../ui/index.ts';
import { useQuery } from '@tanstack/react-query';
import { answer, readEventPayload } from '../../api/index.ts';
import { texts } from '../../texts/en/execution.ts';
import type { Payload } from './node-run.ts';

/** Matches the URL of a long value: `/v1/executions/<id>/events/<sequence>/<field>`. */
const ADDRESS = /\/executions\/([^/]+)\/events\/(\d+)\/(input|output)$/;

interface PayloadViewProps {
  readonly payload: Payload;
  readonly label: string;
}

/** Shows the input or output of a node. A long value is loaded only when the user requests it. */
export function PayloadView({ payload: { value, url }, label }: PayloadViewProps) {
  return url === null ? (
    <JsonTree key={label} value={value} label={label} />
  ) : (
    <LongPayload key={url} url={url} label={label} />
  );
}

function LongPayload({ url, label }: { readonly url: string; readonly label: string }) {
  const [wanted, setWanted] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['payloads', url],
    enabled: wanted,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const [, id = '', sequence = '', field = 'output'] = ADDRESS.exec(url) ?? [];
      // The query result is an object, because the payload inside it may be null.
      return {
        value: await answer(
          readEventPayload({
            signal,
            path: { id, sequence: Number(sequence), field: field === 'input' ? 'input' : 'output' },
          }),
        ),
      };
    },
  });
  if (data !== undefined) return <JsonTree value={data.value} label={label} />;
  if (error !== null)
    return (
      <ErrorNote error={error} title={texts.couldNotLoadData(label)}>
        <Button onClick={() => void refetch()}>{texts.tryAgain}</Button>
      </ErrorNote>
    );
  if (isFetching) return <Skeleton className="h-24" />;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-md border border-border bg-muted px-3 py-2">
      <p className="flex-1 text-text-2">{texts.dataTooLong(label)}</p>
      <Button needsService onClick={() => setWanted(true)}>
        {texts.loadData(label)}
      </Button>
    </div>
  );
}
