import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../access/index.js';
import { AnyInput } from '../http/index.js';
import { sendFile } from '../static-files/index.js';
import { Docs } from './docs.js';

const ROOT = '/docs';

/** Serves the documentation site, which contains no data of the service. */
@ApiExcludeController()
@Controller('docs')
export class DocsController {
  constructor(private readonly docs: Docs) {}

  /** @throws DocsPageNotFoundError, DocsMissingError */
  @Public()
  @AnyInput()
  @Get(['', '{*path}'])
  send(@Req() request: Request, @Res() response: Response): void {
    // Links of the docs site are relative to `/docs/`, so `/docs` redirects to the path with the slash.
    if (request.path === ROOT) response.redirect(`${ROOT}/`);
    else sendFile(this.docs.file(request.path.slice(ROOT.length + 1)), request, response);
  }
}
