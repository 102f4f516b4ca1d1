import { type ArgumentMetadata, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { isId } from '../../platform/index.js';
import { ValidationError } from '../../errors/index.js';

/**
 * Pipe that refuses a path parameter that is not a UUID, before it reaches a database query. Converts the UUID to lower
 * case.
 */
@Injectable()
export class IdentifierPipe implements PipeTransform<string, string> {
  /** @throws ValidationError if the parameter is not a UUID */
  transform(value: string, { data }: ArgumentMetadata): string {
    if (!isId(value)) throw ValidationError.of(data ?? 'id', 'is_uuid', 'must be a UUID');
    return value.toLowerCase();
  }
}

/** Parameter decorator that reads a UUID from the path. Also validates the UUID and documents it in OpenAPI. */
export function IdParam(name = 'id'): ParameterDecorator {
  return (target, key, index) => {
    Param(name, IdentifierPipe)(target, key, index);
    if (key === undefined) return;
    const descriptor = Object.getOwnPropertyDescriptor(target, key);
    if (descriptor === undefined) return;
    ApiParam({
      name,
      schema: { type: 'string', format: 'uuid' },
      example: '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11',
    })(target, key, descriptor);
  };
}
