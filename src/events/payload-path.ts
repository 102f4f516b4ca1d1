import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { PAYLOAD_FIELDS, type PayloadField } from '../journal/index.js';
import { ValidationError } from '../errors/index.js';

/** Nest pipe that parses the sequence of an event from the URL path. */
@Injectable()
export class SequencePipe implements PipeTransform<string, number> {
  /** @throws ValidationError if the text is not a positive integer */
  transform(value: string, { data }: ArgumentMetadata): number {
    if (!/^[1-9]\d{0,8}$/.test(value))
      throw ValidationError.of(data ?? 'sequence', 'is_sequence', 'must be a whole number from 1');
    return Number(value);
  }
}

/** Nest pipe that validates the name of a long value in the URL path. */
@Injectable()
export class PayloadFieldPipe implements PipeTransform<string, PayloadField> {
  /** @throws ValidationError if events have no long value of this name */
  transform(value: string, { data }: ArgumentMetadata): PayloadField {
    const field = PAYLOAD_FIELDS.find((known) => known === value);
    if (field === undefined)
      throw ValidationError.of(data ?? 'field', 'is_in', `must be one of ${PAYLOAD_FIELDS.join(', ')}`);
    return field;
  }
}
