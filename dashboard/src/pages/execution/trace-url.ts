/** The service writes the setting `TRACE_URL_TEMPLATE` into the page; empty if not set. */
const template = document.querySelector<HTMLMetaElement>('meta[name="trace-url-template"]')?.content ?? '';

/** Null if `TRACE_URL_TEMPLATE` is not set. */
export function traceUrl(traceId: string): string | null {
  return template === '' ? null : template.replaceAll('{trace_id}', traceId);
}
