import { CopyIcon, Id, shortId } from '../../ui/index.ts';
import { traceUrl } from './trace-url.ts';

/** The trace of an execution; a link if the service has a `TRACE_URL_TEMPLATE`. */
export function TraceId({ id }: { readonly id: string }) {
  const url = traceUrl(id);
  if (url === null) return <Id value={id} of="the trace" />;
  return (
    <span className="inline-flex items-center gap-0.5 align-bottom">
      <a href={url} title={id} target="_blank" rel="noreferrer" className="mono text-accent hover:underline">
        {shortId(id)}
      </a>
      <CopyIcon value={id} label="Copy id of the trace" />
    </span>
  );
}
