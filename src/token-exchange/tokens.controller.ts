import { Body, Controller, Header, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../access/index.js';
import { ApiAnswers, ValidationPipe } from '../http/index.js';
import { isoTime } from '../platform/index.js';
import { RequestAddress } from '../auth/index.js';
import {
  ACCESS_TOKEN_TYPE,
  ExchangedTokenView,
  ExchangeTokenBody,
  ExchangeTokenForm,
} from './token-exchange.dto.js';
import { type ExchangedToken, TokenExchange } from './token-exchange.service.js';

const FORM_TYPE = 'application/x-www-form-urlencoded';

@ApiTags('auth')
@Controller('v1/auth/token')
export class TokensController {
  private readonly validation = new ValidationPipe();

  constructor(
    private readonly tokens: TokenExchange,
    private readonly address: RequestAddress,
  ) {}

  /**
   * Exchanges a JWT of an identity provider for a short-lived API key. Each JWT can be exchanged once. The request is
   * JSON, or the form of RFC 8693. The response to a form also contains the fields of that standard.
   */
  @Post()
  @HttpCode(200)
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Exchange a JWT for an API token' })
  @ApiConsumes('application/json', FORM_TYPE)
  @ApiExtraModels(ExchangeTokenBody, ExchangeTokenForm)
  @ApiBody({
    schema: {
      oneOf: [{ $ref: getSchemaPath(ExchangeTokenBody) }, { $ref: getSchemaPath(ExchangeTokenForm) }],
    },
  })
  @ApiAnswers(
    { 200: { description: 'The token, which is shown only once.', type: ExchangedTokenView } },
    401,
    403,
    503,
  )
  async exchange(@Body() body: object | undefined, @Req() request: Request): Promise<ExchangedTokenView> {
    const origin = this.address.origin(request);
    if (request.is(FORM_TYPE) === false) {
      const { jwt } = this.read(ExchangeTokenBody, body);
      return tokenView(await this.tokens.exchange(jwt, undefined, origin));
    }
    const { subject_token, scope } = this.read(ExchangeTokenForm, body);
    return formView(await this.tokens.exchange(subject_token, scope?.split(' '), origin));
  }

  /**
   * Validates the body of a request.
   * @throws ValidationError that lists all errors of the body
   */
  private read<Input extends object>(metatype: new () => Input, body: object | undefined): Input {
    return this.validation.transform(body, { type: 'body', metatype }) as Input;
  }
}

function tokenView({ token, expiresAt, scopes }: ExchangedToken): ExchangedTokenView {
  return { token, token_type: 'Bearer', expires_at: isoTime(expiresAt), scopes };
}

function formView(exchanged: ExchangedToken): ExchangedTokenView {
  return Object.assign(tokenView(exchanged), {
    access_token: exchanged.token,
    issued_token_type: ACCESS_TOKEN_TYPE,
    expires_in: exchanged.lifetimeSeconds,
    scope: exchanged.scopes.join(' '),
  });
}
