import { texts } from '../../texts/en/execution.ts';
import { CopyIcon, Id, shortId } from '../../ui/index.ts';
import { traceUrl } from './trace-url.ts';

/** The trace id of an execution, with a link if `TRACE_URL_TEMPLATE` is set. */
export function TraceId({ id }: { readonly id: string }) {
  const url = traceUrl(id);
  if (url === null) return <Id value={id} of={texts.theTrace} />;
  return (
    <span className="inline-flex items-center gap-0.5 align-bottom">
      <a href={url} title={id} target="_blank" rel="noreferrer" className="mono text-accent hover:underline">
        {shortId(id)}
      </a>
      <CopyIcon value={id} label={texts.copyTraceId} />
    </span>
  );
}
