import { Injectable, type PipeTransform } from '@nestjs/common';
import { SIGNAL_NAME } from '../../engine/index.js';
import { ValidationError } from '../../errors/index.js';

@Injectable()
export class SignalNamePipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!SIGNAL_NAME.test(value))
      throw ValidationError.of(
        'name',
        'is_signal_name',
        'must have 1 to 128 letters, digits, dots, hyphens and underscores, and start with a letter or digit',
      );
    return value;
  }
}
