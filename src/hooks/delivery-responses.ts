import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { holdOpen } from '../http/index.js';
import type { AdmittedHook } from './hook-admission.js';
import { HookReceiver, type ReceivedRequest } from './hook-receiver.js';

@Injectable()
export class DeliveryResponses {
  constructor(private readonly receiver: HookReceiver) {}

  /**
   * Handles a request to a hook, and sets the status and content type of the response.
   * @returns the body of the response
   */
  async respond(admitted: AdmittedHook, received: ReceivedRequest, response: Response): Promise<unknown> {
    if (admitted.hook.respond === 'output') holdOpen(response.req);
    const { executionId, output } = await this.receiver.receive(
      admitted,
      received,
      disconnectSignal(response),
    );
    response.status(output === undefined ? 202 : 200);
    if (output === undefined) return { execution_id: executionId };
    // The output is converted to JSON text here, because Express would send a string as HTML and null as an empty body.
    response.type('application/json');
    return JSON.stringify(output);
  }
}

/** A signal that aborts when the client disconnects before the response is complete. */
function disconnectSignal(response: Response): AbortSignal {
  const disconnected = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
