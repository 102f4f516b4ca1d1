import type { Server } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { serviceUrl } from '../http/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';

export const HOOKS_PATH = '/hooks/';

@Injectable()
export class HookAddress {
  constructor(
    private readonly http: HttpAdapterHost,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @param token token of the hook, or its first characters */
  of(token: string): string {
    const server = this.http.httpAdapter.getHttpServer() as Server | undefined;
    return `${serviceUrl(this.settings, server)}${HOOKS_PATH}${token}`;
  }
}
