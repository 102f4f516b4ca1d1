/**
 * Base URLs of the dashboard and of its service, both without a trailing slash. With a proxy that adds a path, examples
 * are `/flows/dashboard` and `https://example.com/flows`. This file and the built files (`assets/*`) lie one folder
 * below the dashboard, so the URL of this file reveals the dashboard's URL. The service writes its own path into the
 * HTML document.
 */
const ownAddress = import.meta.url;
const servicePath = document.querySelector<HTMLMetaElement>('meta[name="service-path"]')?.content ?? '';

export const DASHBOARD_PATH = new URL('..', ownAddress).pathname.replace(/\/+$/, '');
export const SERVICE_URL = location.origin + servicePath;
