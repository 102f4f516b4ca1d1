import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Dashboard } from './dashboard.js';

/** Redirects browsers from the root URL to the dashboard. For other clients, the API handles the request. */
@Injectable()
export class StartPageMiddleware implements NestMiddleware {
  constructor(private readonly dashboard: Dashboard) {}

  use(request: Request, response: Response, next: NextFunction): void {
    // Clients that accept any content type, such as curl, get JSON.
    if (request.path !== '/' || request.accepts(['json', 'html']) !== 'html') return next();
    response.vary('Accept').redirect(`${this.dashboard.path}/`);
  }
}
