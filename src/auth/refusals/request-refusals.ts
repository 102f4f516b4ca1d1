import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { AuthenticatedRequest } from '../../access/index.js';
import type { AuditEvent } from '../../audit/index.js';
import type { RefusalListener } from '../../http/index.js';
import { isId } from '../../platform/index.js';
import { RequestAddress } from '../request-address.js';
import { RefusalLog } from './refusal-log.js';

interface RoutedRequest extends IncomingMessage, AuthenticatedRequest {
  readonly route?: { readonly path?: unknown };
  readonly params?: Readonly<Record<string, unknown>>;
}

@Injectable()
export class RequestRefusals implements RefusalListener {
  constructor(
    private readonly log: RefusalLog,
    private readonly addresses: RequestAddress,
  ) {}

  record(error: unknown, request: RoutedRequest): void {
    const { address, requestId } = this.addresses.origin(request);
    const path = typeof request.route?.path === 'string' ? request.route.path : '';
    this.log.record(error, {
      address,
      requestId,
      principal: request.principal,
      method: request.method ?? '',
      path,
      target: namedResource(path, request.params),
    });
  }
}

const PARAMETER = /^:(\w+)$/;

/**
 * Returns the last resource that the path of a route names, such as a `workflow` for `/v1/workflows/:id`. Undefined if
 * the path contains no id.
 */
function namedResource(
  path: string,
  parameters: RoutedRequest['params'] = {},
): AuditEvent['target'] | undefined {
  const segments = path.split('/');
  for (let index = segments.length - 1; index > 0; index -= 1) {
    const id = parameters[PARAMETER.exec(segments[index] ?? '')?.[1] ?? ''];
    if (typeof id !== 'string' || !isId(id)) continue;
    const collection = segments[index - 1] ?? '';
    return { type: collection.replace(/s$/, '').replaceAll('-', '_'), id: id.toLowerCase() };
  }
  return undefined;
}
