import type { IncomingMessage } from 'node:http';
import type { ServiceError } from '../../errors/index.js';

const PATH_FAULT = Symbol('pathFault');
const BODY_FAULT = Symbol('bodyFault');

interface FaultyRequest extends IncomingMessage {
  [PATH_FAULT]?: ServiceError;
  [BODY_FAULT]?: ServiceError;
}

/**
 * Stores the error of a malformed path in the request until the guards have run. Authentication errors thus take
 * precedence over errors of the path.
 */
export function holdPathFault(request: IncomingMessage, fault: ServiceError): void {
  (request as FaultyRequest)[PATH_FAULT] ??= fault;
}

export function holdBodyFault(request: IncomingMessage, fault: ServiceError): void {
  (request as FaultyRequest)[BODY_FAULT] ??= fault;
}

export function pathFaultOf(request: IncomingMessage): ServiceError | undefined {
  return (request as FaultyRequest)[PATH_FAULT];
}

export function bodyFaultOf(request: IncomingMessage): ServiceError | undefined {
  return (request as FaultyRequest)[BODY_FAULT];
}
