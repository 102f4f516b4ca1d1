/**
 * Base URLs of the dashboard and of the service, without a trailing slash. They are derived from
 * this file's URL, because a proxy may add a path.
 */
const ownAddress = import.meta.url;
const servicePath = document.querySelector<HTMLMetaElement>('meta[name="service-path"]')?.content ?? '';

export const DASHBOARD_PATH = new URL('..', ownAddress).pathname.replace(/\/+$/, '');
export const SERVICE_URL = location.origin + servicePath;
