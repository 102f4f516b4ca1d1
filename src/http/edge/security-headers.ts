import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** One policy for all pages of the service: everything from here, nothing inline, in nobody's frame. */
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
 * What sets the security headers of an answer. They never vary, so they are decided once and only set on the way of a
 * request.
 * @param https whether clients reach the service by https; only then they are told to stay there
 */
export function securityHeaders(https: boolean): (response: ServerResponse) => void {
  const request = new IncomingMessage(new Socket());
  const sample = new ServerResponse(request);
  const decide = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_SECURITY_POLICY },
    strictTransportSecurity: https ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    // What only Internet Explorer, Flash and browsers of long ago read would make every answer longer for nobody.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
  });
  decide(request, sample, () => undefined);
  // What is answered is for the caller alone; what others may keep says so itself.
  sample.setHeader('Cache-Control', 'no-store');
  const headers = Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  return (response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
  };
}
