import type { Provider } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ErrorFilter } from './errors/error.filter.js';
import { ValidationPipe } from './validation/validation.pipe.js';

/** Pipes and filters for every route. The root module must provide them, so that they run before all others. */
export const HTTP_PROVIDERS: readonly Provider[] = [
  { provide: APP_PIPE, useClass: ValidationPipe },
  { provide: APP_FILTER, useClass: ErrorFilter },
];
