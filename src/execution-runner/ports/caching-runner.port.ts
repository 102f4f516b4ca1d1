import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';
import type { AttemptRunner } from '../run-loop/node-runner.js';

/** Runs the attempts of workflows with `cache_enabled`, and reuses the results of equal nodes. */
@Injectable()
export class CachingRunnerPort extends Port<AttemptRunner> {}
