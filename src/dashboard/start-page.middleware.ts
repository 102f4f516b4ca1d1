import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Dashboard } from './dashboard.js';

/** Redirects browsers that open the service's root URL to the dashboard. Other clients get the usual response. */
@Injectable()
export class StartPageMiddleware implements NestMiddleware {
  constructor(private readonly dashboard: Dashboard) {}

  use(request: Request, response: Response, next: NextFunction): void {
    // A client that accepts anything, such as curl, is treated as a JSON client and not as a browser.
    if (request.path !== '/' || request.accepts(['json', 'html']) !== 'html') return next();
    response.vary('Accept').redirect(`${this.dashboard.path}/`);
  }
}
