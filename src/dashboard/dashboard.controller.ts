import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../access/index.js';
import { AnyInput } from '../http/index.js';
import { acceptedEncoding } from './accepted-encoding.js';
import { Dashboard } from './dashboard.js';

const PREFIX = /^\/dashboard\/?/;

/**
 * Serves the dashboard's pages. They contain no data: the script loads it from the API, which authenticates the caller.
 */
@ApiExcludeController()
@Controller('dashboard')
export class DashboardController {
  constructor(private readonly dashboard: Dashboard) {}

  /** @throws DashboardFileNotFoundError, DashboardMissingError */
  @Public()
  @AnyInput()
  @Get(['', '{*path}'])
  send(@Req() request: Request, @Res() response: Response): void {
    const { type, cacheControl, bodies } = this.dashboard.file(request.path.replace(PREFIX, ''));
    const encoding = acceptedEncoding(request.headers['accept-encoding'], bodies.keys());
    const body = bodies.get(encoding);
    if (body === undefined) throw new Error(`There is no ${encoding} body.`);
    response.setHeader('Cache-Control', cacheControl);
    response.setHeader('Vary', 'Accept-Encoding');
    response.setHeader('ETag', body.etag);
    // Uses Express' comparison of If-None-Match, which handles lists and weak ETags.
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    response.setHeader('Content-Type', type);
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Length', body.bytes.length);
    response.end(body.bytes);
  }
}
