/** `TRACE_URL_TEMPLATE` of the service, which writes it into the document; empty where it is not set. */
const template = document.querySelector<HTMLMetaElement>('meta[name="trace-url-template"]')?.content ?? '';

/** Where a trace is shown; null where no such place is set. */
export function traceUrl(traceId: string): string | null {
  return template === '' ? null : template.replaceAll('{trace_id}', traceId);
}
