/**
 * Base URLs of the dashboard and of its service, both without a trailing slash. With a proxy that adds a path they are,
 * for example, `/flows/dashboard` and `https://example.com/flows`. This file and those of the build (`assets/*`) lie
 * one folder below the dashboard, so their own URL reveals the dashboard's. The service writes its own path into the
 * HTML document.
 */
const ownAddress = import.meta.url;
const servicePath = document.querySelector<HTMLMetaElement>('meta[name="service-path"]')?.content ?? '';

export const DASHBOARD_PATH = new URL('..', ownAddress).pathname.replace(/\/+$/, '');
export const SERVICE_URL = location.origin + servicePath;
