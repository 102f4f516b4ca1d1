import type { Provider } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ErrorFilter } from './errors/error.filter.js';
import { ValidationPipe } from './validation/validation.pipe.js';

/**
 * The global validation pipe and error filter. The root module must provide both, so that they run before the pipes and
 * filters of other modules.
 */
export const HTTP_PROVIDERS: readonly Provider[] = [
  { provide: APP_PIPE, useClass: ValidationPipe },
  { provide: APP_FILTER, useClass: ErrorFilter },
];
