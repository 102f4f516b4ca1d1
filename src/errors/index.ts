export {
  AuthenticationError,
  ConflictError,
  IdempotencyError,
  type InputFault,
  InternalError,
  MAX_REPORTED_FAULTS,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  UnavailableError,
  UnknownPathError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './errors.js';
export { ERROR_TYPES, type ErrorStatus, type ErrorType, ServiceError } from './service-error.js';
