import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import type { Response } from 'express';
import { Public } from '../access/index.js';
import { AuthenticationError, UnknownPathError } from '../errors/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { METRICS, type Metrics } from './metrics.js';

/** Serves `GET /metrics` to scrapers that send `METRICS_TOKEN`. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'METRICS_TOKEN'>,
  ) {}

  /** @throws UnknownPathError when METRICS_TOKEN is not set; AuthenticationError for a wrong token */
  @Get()
  @Public()
  @SkipThrottle()
  async read(
    @Headers('authorization') authorization: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const { METRICS_TOKEN: token } = this.settings;
    if (this.metrics === null || token === undefined) throw new UnknownPathError();
    if (!isEqual(authorization ?? '', `Bearer ${token}`)) throw new AuthenticationError();
    const text = await this.metrics.text();
    response.setHeader('Content-Type', this.metrics.contentType).setHeader('Cache-Control', 'no-store');
    response.end(text);
  }
}

/**
 * Compares two strings in constant time, so that the duration of the comparison does not reveal where the strings
 * differ.
 */
function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
