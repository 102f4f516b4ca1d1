import { type ArgumentMetadata, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ValidationError } from '../../errors/index.js';

@Injectable()
export class IntegerPipe implements PipeTransform<string, number> {
  /** @throws ValidationError unless the parameter is an integer of at least 1 that both databases can store */
  transform(value: string, { data }: ArgumentMetadata): number {
    if (!/^[1-9]\d{0,8}$/.test(value))
      throw ValidationError.of(data ?? 'number', 'is_int', 'must be a whole number from 1');
    return Number(value);
  }
}

/**
 * Parameter decorator that reads a positive integer from the path. Also validates the integer and documents it in
 * OpenAPI.
 */
export function IntegerParam(name: string): ParameterDecorator {
  return (target, key, index) => {
    Param(name, IntegerPipe)(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || descriptor === undefined) return;
    ApiParam({ name, schema: { type: 'integer', minimum: 1 }, example: 1 })(target, key, descriptor);
  };
}
