/**
 * Value of the setting `TRACE_URL_TEMPLATE`, which the service writes into a meta tag; empty if the setting is not set.
 */
const template = document.querySelector<HTMLMetaElement>('meta[name="trace-url-template"]')?.content ?? '';

/** URL of a trace in the tracing tool of the operator; null if `TRACE_URL_TEMPLATE` is not set. */
export function traceUrl(traceId: string): string | null {
  return template === '' ? null : template.replaceAll('{trace_id}', traceId);
}
