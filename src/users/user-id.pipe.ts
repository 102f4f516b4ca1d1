import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { IdentifierPipe } from '../http/index.js';

/** Path segment that stands for the id of the caller, as in `/v1/users/me`. */
export const ME = 'me';

/** Validates the id of a user in a path. The id is a UUID or `me`. */
@Injectable()
class UserIdPipe implements PipeTransform<string, string> {
  private readonly identifier = new IdentifierPipe();

  /** @throws ValidationError when the parameter is neither a UUID nor `me` */
  transform(value: string): string {
    return value === ME ? value : this.identifier.transform(value, { type: 'param', data: 'id' });
  }
}

/** Parameter decorator for the id of a user in a path. Validates the id and documents it in OpenAPI. */
export function UserIdParam(): ParameterDecorator {
  return (target, key, index) => {
    Param('id', UserIdPipe)(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || descriptor === undefined) return;
    ApiParam({
      name: 'id',
      description: 'The id of a user, or `me` for the user who sends the request.',
      schema: { type: 'string' },
      example: ME,
    })(target, key, descriptor);
  };
}
