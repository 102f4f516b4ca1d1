import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Content security policy of all pages. The policy forbids resources of other origins, inline code, and embedding in
 * other pages.
 */
const CONTENT_SECURITY_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
};

/**
 * Returns a function that sets the security headers of a response.
 * @param https whether clients reach the service over https; if true, responses contain `Strict-Transport-Security`
 */
export function securityHeaders(https: boolean): (response: ServerResponse) => void {
  const request = new IncomingMessage(new Socket());
  const sample = new ServerResponse(request);
  const decide = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
    strictTransportSecurity: https ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    // Obsolete headers such as `X-XSS-Protection` are omitted. Only old browsers such as Internet Explorer read them.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
  });
  decide(request, sample, () => undefined);
  // By default, caches must not store responses, because they are private to the caller. Routes with public responses
  // replace this header.
  sample.setHeader('Cache-Control', 'no-store');
  const headers = Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  return (response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
  };
}
