import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../access/index.js';
import { AnyInput } from '../http/index.js';
import { sendFile } from '../static-files/index.js';
import { Dashboard } from './dashboard.js';

const PREFIX = /^\/dashboard\/?/;

/**
 * Serves the files of the dashboard without authentication, because the files contain no data of users. The dashboard's
 * script loads data from the API.
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
    sendFile(this.dashboard.file(request.path.replace(PREFIX, '')), request, response);
  }
}
