import {
  applyDecorators,
  type ArgumentsHost,
  type CallHandler,
  Catch,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { ErrorFilter } from '../platform/index.js';

/** Since when clients should use `/v1`. */
const DEPRECATED_SINCE = new Date('2026-11-21T00:00:00Z');

/** When `/v0` may be gone. */
const SUNSET = new Date('2027-11-30T23:59:59Z');

/** `@` and Unix seconds: a structured date (RFC 9745). */
const DEPRECATION = `@${DEPRECATED_SINCE.getTime() / 1_000}`;

/** Headers of every answer of this version, for the documents. */
export const DEPRECATION_HEADERS = {
  Deprecation: 'Since when this path is deprecated (RFC 9745).',
  Sunset: 'When it may be gone (RFC 8594).',
  Link: 'Its successor under `/v1`.',
};

@Injectable()
class DeprecationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    sayDeprecated(context);
    return next.handle();
  }
}

/** Guards refuse before any interceptor is asked. */
@Catch()
class DeprecationFilter extends ErrorFilter {
  override catch(thrown: unknown, host: ArgumentsHost): void {
    sayDeprecated(host);
    // oxlint-disable-next-line promise/valid-params -- the method of a filter, not of a promise
    super.catch(thrown, host);
  }
}

/** On a controller: every answer says that its path is deprecated, refusals of guards too. */
export function Deprecated(): ClassDecorator {
  return applyDecorators(UseInterceptors(DeprecationInterceptor), UseFilters(DeprecationFilter));
}

function sayDeprecated(host: ArgumentsHost): void {
  const http = host.switchToHttp();
  // The parser of URLs escapes what would end the link.
  const { pathname } = new URL(http.getRequest<Request>().originalUrl, 'http://localhost');
  http.getResponse<Response>().set({
    Deprecation: DEPRECATION,
    Sunset: SUNSET.toUTCString(),
    Link: `<${pathname.replace(/^\/v0\//, '/v1/')}>; rel="successor-version"`,
  });
}
