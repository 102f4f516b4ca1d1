import type { Provider } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ErrorFilter } from './errors/error.filter.js';
import { ValidationPipe } from './validation/validation.pipe.js';

/**
 * Pipes and filters that validate inputs and send error responses on every route. They belong to the root module, so
 * that they run before those of other modules.
 */
export const HTTP_PROVIDERS: readonly Provider[] = [
  { provide: APP_PIPE, useClass: ValidationPipe },
  { provide: APP_FILTER, useClass: ErrorFilter },
];
