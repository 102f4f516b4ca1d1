/** `TRACE_URL_TEMPLATE`, which the service writes into the document; empty if the setting is not set. */
const template = document.querySelector<HTMLMetaElement>('meta[name="trace-url-template"]')?.content ?? '';

/** URL of the page that shows a trace; null if no `TRACE_URL_TEMPLATE` is set. */
export function traceUrl(traceId: string): string | null {
  return template === '' ? null : template.replaceAll('{trace_id}', traceId);
}
