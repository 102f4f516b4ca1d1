/**
 * Addresses below which the dashboard and its service lie, both without a slash at the end. Behind a proxy that adds a
 * path they are `/flows/dashboard` and `https://example.com/flows`. This file and those of the build (`assets/*`) lie
 * one folder below the dashboard, so their own address tells where that is; the service writes its own path into the
 * document.
 */
const ownAddress = import.meta.url;
const servicePath = document.querySelector<HTMLMetaElement>('meta[name="service-path"]')?.content ?? '';

export const DASHBOARD_PATH = new URL('..', ownAddress).pathname.replace(/\/+$/, '');
export const SERVICE_URL = location.origin + servicePath;
