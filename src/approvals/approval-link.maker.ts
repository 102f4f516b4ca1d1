import { ApprovalLinksPort, type ApprovalLinkIssuer } from '../execution-runner/index.js';
import type { Server } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ApprovalLinks } from '../engine/index.js';
import { serviceUrl } from '../http/index.js';
import { type Settings, SETTINGS } from '../settings/index.js';
import { SharedSecretRepository } from '../access/index.js';
import { type Decidable, type Decision, decodeToken, encodeToken, linkKey } from './approval-token.js';

/** Path of approval pages, relative to the base URL of the service. */
export const APPROVALS_PATH = 'approvals';

@Injectable()
export class ApprovalLinkMaker implements ApprovalLinkIssuer {
  private key: Buffer | null = null;

  constructor(
    private readonly secrets: SharedSecretRepository,
    private readonly http: HttpAdapterHost,
    @Inject(SETTINGS) private readonly settings: Settings,
    port: ApprovalLinksPort,
  ) {
    port.connect(this);
  }

  async of(decidable: Decidable): Promise<ApprovalLinks> {
    const key = await this.ownKey();
    const url = (approved: boolean): string =>
      `${this.baseUrl()}/${APPROVALS_PATH}/${encodeToken(key, { ...decidable, approved })}`;
    return { approve_url: url(true), reject_url: url(false) };
  }

  /** Returns the URL of the dashboard page on which a signed-in person can decide an approval. */
  dashboardUrl(token: string): string {
    const dashboard = this.settings.DASHBOARD_URL?.replace(/\/$/, '') ?? `${this.baseUrl()}/dashboard`;
    return `${dashboard}/approvals/${token}`;
  }

  /** Returns the decision that a token contains; null if this service did not sign the token. */
  async read(token: string): Promise<Decision | null> {
    const key = this.key ?? (await this.knownKey());
    return key === null ? null : decodeToken(key, token);
  }

  private async ownKey(): Promise<Buffer> {
    const known = this.key ?? (await this.knownKey());
    return known ?? this.keep(await this.secrets.ensure());
  }

  /** Returns the key that signs approval links; null if no secret exists. Without a secret, no link was ever signed. */
  private async knownKey(): Promise<Buffer | null> {
    const secret = this.settings.SECRETS_KEY ?? (await this.secrets.find());
    return secret === undefined ? null : this.keep(secret);
  }

  private keep(secret: string): Buffer {
    return (this.key = linkKey(Buffer.from(secret)));
  }

  private baseUrl(): string {
    return serviceUrl(this.settings, this.http.httpAdapter.getHttpServer() as Server | undefined);
  }
}
