import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Dashboard } from './dashboard.js';

/** Sends who opens the address of the service in a browser to the dashboard. Other clients get what they got. */
@Injectable()
export class StartPageMiddleware implements NestMiddleware {
  constructor(private readonly dashboard: Dashboard) {}

  use(request: Request, response: Response, next: NextFunction): void {
    // A client that takes anything, such as curl, is no browser: it is answered like one that asks for JSON.
    if (request.path !== '/' || request.accepts(['json', 'html']) !== 'html') return next();
    response.vary('Accept').redirect(`${this.dashboard.path}/`);
  }
}
