import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { IdentifierPipe } from '../http/index.js';

/** The word for the caller in a path. */
export const ME = 'me';

/** Validates the user in a path: an id, or `me`. */
@Injectable()
class UserIdPipe implements PipeTransform<string, string> {
  private readonly identifier = new IdentifierPipe();

  /** @throws ValidationError when the parameter is neither a UUID nor `me` */
  transform(value: string): string {
    return value === ME ? value : this.identifier.transform(value, { type: 'param', data: 'id' });
  }
}

/** Parameter decorator for the user in a path. Validates and documents the parameter. */
export function UserIdParam(): ParameterDecorator {
  return (target, key, index) => {
    Param('id', UserIdPipe)(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || descriptor === undefined) return;
    ApiParam({
      name: 'id',
      description: 'The id of a user, or `me`.',
      schema: { type: 'string' },
      example: ME,
    })(target, key, descriptor);
  };
}
