import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';
import type { OfferedStart, StartFate } from '../dispatch/start-offers.js';

/** Writes and runs starts that processes without runners offer. */
export interface OfferedStarts {
  /** Never rejects. */
  take(start: OfferedStart): Promise<StartFate>;
}

@Injectable()
export class OfferedStartsPort extends Port<OfferedStarts> {}
