import type { Provider } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ErrorFilter } from './errors/error.filter.js';
import { ValidationPipe } from './validation/validation.pipe.js';

/**
 * Validates inputs and answers errors on every route. For the root module of an application: Nest then runs the pipes
 * and filters of other modules after these.
 */
export const HTTP_PROVIDERS: readonly Provider[] = [
  { provide: APP_PIPE, useClass: ValidationPipe },
  { provide: APP_FILTER, useClass: ErrorFilter },
];
