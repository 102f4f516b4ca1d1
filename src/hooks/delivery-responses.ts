import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { holdOpen } from '../http/index.js';
import type { AdmittedHook } from './hook-admission.js';
import { HookReceiver, type ReceivedRequest } from './hook-receiver.js';

/** Responds to deliveries over HTTP. */
@Injectable()
export class DeliveryResponses {
  constructor(private readonly receiver: HookReceiver) {}

  /** @returns the body of the response, whose status and type are set */
  async respond(admitted: AdmittedHook, received: ReceivedRequest, response: Response): Promise<unknown> {
    if (admitted.hook.respond === 'output') holdOpen(response.req);
    const { executionId, output } = await this.receiver.receive(admitted, received, goneSignal(response));
    response.status(output === undefined ? 202 : 200);
    if (output === undefined) return { execution_id: executionId };
    // As text: Express would send a string as HTML, and nothing for null.
    response.type('application/json');
    return JSON.stringify(output);
  }
}

/** Aborted when the client closes the connection before it has the response. */
function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
