import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Dashboard } from './dashboard.js';

/** Redirects browsers from the root URL to the dashboard. Other clients get the API's response. */
@Injectable()
export class StartPageMiddleware implements NestMiddleware {
  constructor(private readonly dashboard: Dashboard) {}

  use(request: Request, response: Response, next: NextFunction): void {
    // A client that accepts any type, such as curl, gets JSON.
    if (request.path !== '/' || request.accepts(['json', 'html']) !== 'html') return next();
    response.vary('Accept').redirect(`${this.dashboard.path}/`);
  }
}
