import { Injectable, type PipeTransform } from '@nestjs/common';
import { SIGNAL_NAME } from '../../engine/index.js';
import { ValidationError } from '../../errors/index.js';

/** Validates the name of a signal in a path. */
@Injectable()
export class SignalNamePipe implements PipeTransform<string, string> {
  /** @throws ValidationError when the name is not valid for a signal */
  transform(value: string): string {
    if (!SIGNAL_NAME.test(value))
      throw ValidationError.of(
        'name',
        'is_signal_name',
        'must be 1 to 128 letters, digits, dots, hyphens and underscores, the first a letter or a digit',
      );
    return value;
  }
}
