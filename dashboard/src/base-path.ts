/**
 * Base path of the dashboard and base URL of the service, without trailing slashes. A proxy may add a path prefix. The
 * dashboard finds its prefix in the URL of this script, and the service's prefix in a `meta` element.
 */
const ownAddress = import.meta.url;
const servicePath = document.querySelector<HTMLMetaElement>('meta[name="service-path"]')?.content ?? '';

export const DASHBOARD_PATH = new URL('..', ownAddress).pathname.replace(/\/+$/, '');
export const SERVICE_URL = location.origin + servicePath;
