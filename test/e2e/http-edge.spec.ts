import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Module,
  Patch,
  Post,
  Put,
  Query,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiOkResponse, ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import type { AddressInfo } from 'node:net';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { deflateSync, brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ApiAnswers,
  ApiPage,
  BodyMayBeAbsent,
  configureHttp,
  HTTP_PROVIDERS,
  HttpAdapter,
  IdParam,
  InputGuard,
  setupOpenApi,
  UnknownPathModule,
  ValidationPipe,
} from '../../src/http/index.js';
import { AuthenticationError, ConflictError, UnavailableError } from '../../src/errors/index.js';
import { page, type Page, PageQuery } from '../../src/pages/index.js';
import { sendRaw } from '../support/raw-http.js';

class Config {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 3600 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3600)
  timeout_seconds?: number;

  @IsOptional()
  @IsBoolean()
  cache_enabled?: boolean;
}

class Step {
  @IsString()
  id: string;

  @IsOptional()
  @IsObject()
  with?: Record<string, unknown>;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  needs?: string[];
}

class CreateThing {
  @ApiProperty({ example: 'Nightly report' })
  @Transform(({ value }: { value: string }) => value.trim())
  @IsString()
  @MaxLength(20)
  name: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => Config)
  config?: Config;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Step)
  nodes?: Step[];

  @IsOptional()
  @IsObject()
  input?: Record<string, unknown>;

  @ApiProperty({ type: String, nullable: true })
  @IsOptional()
  @IsString()
  note?: string | null;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(5)
  @IsString({ each: true })
  @Matches(/^[a-z]+$/, { each: true })
  tags?: string[];
}

@BodyMayBeAbsent()
class Reason {
  @IsOptional()
  @IsString()
  reason?: string;
}

class ThingQuery extends PageQuery {
  @IsOptional()
  @IsArray()
  @IsIn(['open', 'closed'], { each: true })
  status?: string[];

  @IsOptional()
  metadata?: Map<string, string>;
}

class Thing {
  @ApiProperty({ format: 'uuid' })
  id: string;
}

@Controller('v1/things')
class ThingsController {
  @ApiAnswers({ 201: { description: 'Made.', type: Thing } }, 409)
  @Post()
  create(@Body() body: CreateThing): object {
    return body;
  }

  @ApiPage(Thing, 'Things.')
  @Get()
  list(@Query() query: ThingQuery): Page<Thing> {
    return page(query, {
      rows: [{ id: JSON.stringify(query) }],
      total: 1,
      cursorOf: ({ id }) => [id],
      toItem: (row) => row,
    });
  }

  @ApiAnswers({}, 412)
  @Get(':id')
  get(@IdParam() id: string): Thing {
    return { id };
  }

  @Put(':id')
  replace(@IdParam() id: string, @Query('force') force: boolean, @Body() body: CreateThing): object {
    return { id, force, name: body.name };
  }

  @Patch(':id')
  patch(@Body() body: Record<string, unknown>): object {
    return body;
  }

  @HttpCode(200)
  @Post(':id/cancel')
  cancel(@Body() body: Reason): object {
    return { reason: body.reason ?? null };
  }

  @HttpCode(200)
  @Post(':id/pause')
  pause(): object {
    return { paused: true };
  }

  @HttpCode(200)
  @Post(':id/conflict')
  conflict(): never {
    throw new ConflictError('thing_busy', 'The thing is busy.', { since: 1 });
  }
}

@Controller('fail')
class FailController {
  @Get('plain')
  plain(): never {
    throw new Error('SELECT secret FROM keys');
  }

  @Get('text')
  text(): never {
    throw 'a text';
  }

  @Get('locked')
  locked(): never {
    throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  }

  @Get('refused')
  refused(): never {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    throw new Error('query failed', { cause });
  }

  @Get('away')
  away(): never {
    throw new UnavailableError('The queue does not respond.', 7);
  }
}

@Controller('answers')
class AnswersController {
  @Get('object')
  @ApiOkResponse({ schema: { type: 'object', properties: { text: { type: 'string' } } } })
  object(): object {
    return { text: 'größer' };
  }

  @Get('list')
  @ApiOkResponse({ schema: { type: 'array', items: { type: 'integer' } } })
  list(): readonly number[] {
    return [1, 2];
  }

  @Get('nothing')
  nothing(): void {
    return undefined;
  }

  @Get('typed')
  @Header('Content-Type', 'application/merge-patch+json')
  @ApiOkResponse({ content: { 'application/merge-patch+json': { schema: { type: 'object' } } } })
  typed(): object {
    return {};
  }

  @Get('tagged')
  @Header('ETag', '"7"')
  tagged(): object {
    return {};
  }
}

const GUARDED = 'guarded';

/** Replaces the guard for API keys. A guarded route accepts any Authorization header. */
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    if (
      Reflect.getMetadata(GUARDED, context.getHandler()) === true &&
      request.headers.authorization === undefined
    )
      throw new AuthenticationError();
    return true;
  }
}

@Controller('private')
class PrivateController {
  @SetMetadata(GUARDED, true)
  @Post()
  take(@Body() body: CreateThing): object {
    return body;
  }
}

@Module({
  imports: [UnknownPathModule.guardedBy(SetMetadata(GUARDED, true))],
  controllers: [ThingsController, FailController, AnswersController, PrivateController],
  providers: [
    ...HTTP_PROVIDERS,
    { provide: APP_GUARD, useClass: HeaderGuard },
    { provide: APP_GUARD, useClass: InputGuard },
  ],
})
class EdgeModule {}

const LIMIT = 100_000;
const ID = '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11';

let app: NestExpressApplication;
let port: number;

beforeAll(async () => {
  app = await NestFactory.create<NestExpressApplication>(EdgeModule, new HttpAdapter(), {
    bodyParser: false,
    logger: false,
    routeResolutionStrategy: 'specificity',
  });
  configureHttp(
    app,
    { HTTP_BODY_LIMIT: LIMIT, BASE_URL: undefined, CORS_ORIGINS: [], DATABASE_TIMEOUT_SECONDS: 15 },
    { formPaths: ['/v1/things'] },
  );
  setupOpenApi(app, { title: 'Edge', version: '1.0.0', description: 'Edge.', serverUrl: '/' });
  await app.listen(0, '127.0.0.1');
  port = (app.getHttpServer().address() as AddressInfo).port;
});

afterAll(() => app.close());

function ask(path: string, request: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/answers/${path}`, request);
}

interface AnswerJson {
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly code: string;
    readonly request_id: string;
    readonly retry_after?: number;
    readonly details: {
      readonly field: string;
      readonly reason: string;
      readonly errors: readonly { readonly field: string; readonly code: string }[];
    };
  };
  readonly data: readonly { readonly id: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, DocumentedAnswer>> };
  readonly [member: string]: unknown;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody: DocumentedAnswer;
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

interface DocumentedAnswer {
  readonly headers: object;
  readonly content: {
    readonly 'application/json': {
      readonly example: AnswerJson & { readonly pagination: { readonly limit: number } };
    };
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly json: AnswerJson;
}

/** Sends a request with exactly the given target and body. */
function send(
  method: string,
  target: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method,
        path: target,
        headers: {
          authorization: 'any',
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson =
            response.headers['content-type']?.startsWith('application/json') === true && text !== '';
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: (isJson ? JSON.parse(text) : {}) as AnswerJson,
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const post = (body: string | Buffer, headers?: Record<string, string>): Promise<Answer> =>
  send('POST', '/v1/things', body, headers);

/** Expects an error response in the documented format. */
function expectRefusal(answer: Answer, status: number, type: string, code?: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Object.keys(answer.json)).toEqual(['error']);
  const { error } = answer.json;
  for (const key of Object.keys(error))
    expect(['type', 'message', 'details', 'retry_after', 'code', 'request_id']).toContain(key);
  expect(error.type).toBe(type);
  if (code !== undefined) expect(error.code).toBe(code);
  expect(error.message).toMatch(/\S+.*[.!?]$/s);
  expect(error.request_id).toBe(answer.headers['x-request-id']);
}

describe('request bodies', () => {
  it('the server accepts a JSON media type in upper case, with a quoted charset or with the suffix `+json`', async () => {
    for (const type of [
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/merge-patch+json',
      'application/json;charset="utf-8"',
    ]) {
      const answer = await post('{"name":" x "}', { 'content-type': type });
      expect([answer.status, answer.json], type).toEqual([201, { name: 'x' }]);
    }
  });

  it.each([
    ['text/plain', '{"name":"x"}'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/jsonp', '{}'],
    ['application/json; charset=latin1', '{}'],
    ['', '{}'],
  ])('the server responds 415 to a body with the media type %j', async (type, body) => {
    expectRefusal(
      await post(body, { 'content-type': type }),
      415,
      'unsupported_media_type_error',
      'unsupported_media_type',
    );
  });

  it('the server parses form bodies only on routes that accept forms, and rejects a form with a repeated field', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post('name=x%20y', form)).json).toEqual({ name: 'x y' });
    expectRefusal(await post('name=x&name=y', form), 400, 'validation_error', 'repeated');
    expectRefusal(await send('PUT', `/v1/things/${ID}`, 'name=x', form), 415, 'unsupported_media_type_error');
  });

  it.each([
    ['', 'required'],
    ['null', 'not_an_object'],
    ['[]', 'not_an_object'],
    ['"x"', 'not_an_object'],
    ['{"name":', 'malformed_json'],
    ['{"name":"x",}', 'malformed_json'],
    ['{"name":"x"} {}', 'malformed_json'],
    ['\ufeff{"name":"x"}', 'malformed_json'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'invalid_utf8'],
    [Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]), 'invalid_utf8'],
  ])('the server rejects the body %j with the error code %s', async (body, code) => {
    const answer = await post(body);
    expectRefusal(answer, 400, 'validation_error');
    expect(answer.json.error.details).toMatchObject({ field: 'body', errors: [{ field: 'body', code }] });
  });

  it('the error for malformed JSON contains the line and column of the syntax error', async () => {
    const answer = await post('{"name":"x",\n  oops}');
    expect(answer.json.error.details.reason).toMatch(/line 2 column 3/);
  });

  it.each([
    ['{"name":"a\\u0000b"}', 'name', 'nul_character'],
    ['{"name":"x","input":{"a":["ok","\\ud800"]}}', 'input.a[1]', 'lone_surrogate'],
    ['{"name":"x","input":{"\\udc00":1}}', 'input["\\udc00"]', 'lone_surrogate'],
    ['{"name":"x","input":{"__proto__":{"admin":true}}}', 'input.__proto__', 'forbidden_key'],
    ['{"__proto__":{"name":"x"}}', '__proto__', 'forbidden_key'],
    ['{"name":"x","\\u005f_proto__":1}', '__proto__', 'forbidden_key'],
    ['{"name":"x","input":{"n":1e999}}', 'input.n', 'number_out_of_range'],
    [`{"name":"x","input":{"n":${'9'.repeat(400)}}}`, 'input.n', 'number_out_of_range'],
  ])('the server rejects the body %s and names the invalid field %s', async (body, field, code) => {
    const answer = await post(body);
    expectRefusal(answer, 400, 'validation_error', code);
    expect(answer.json.error.details.field).toBe(field);
  });

  it('the server accepts a body with 64 nested levels or 10,000 keys, and rejects a body with more levels or keys', async () => {
    const nested = (levels: number): string =>
      `{"name":"x","input":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    const keys = (count: number): string =>
      `{"name":"x","input":{${Array.from({ length: count }, (_, index) => `"${index}":1`).join()}}}`;
    expect((await post(nested(63))).status).toBe(201);
    expectRefusal(await post(nested(64)), 400, 'validation_error', 'too_deep');
    expectRefusal(
      await post(`{"name":"x","input":${'['.repeat(40_000)}${']'.repeat(40_000)}}`),
      400,
      'validation_error',
      'too_deep',
    );
    expect((await post(keys(9_998))).status).toBe(201);
    expectRefusal(await post(keys(9_999)), 400, 'validation_error', 'too_many_keys');
  });

  it('the server treats body keys such as `constructor` and `toString` like other keys', async () => {
    const input = { constructor: { prototype: { x: 1 } }, prototype: 'p', toString: 1, hasOwnProperty: null };
    const answer = await post(
      JSON.stringify({ name: 'x', input, nodes: [{ id: 'a', with: { constructor: 'Ferrari' } }] }),
    );
    expect([answer.status, answer.json.input, answer.json.nodes]).toEqual([
      201,
      input,
      [{ id: 'a', with: { constructor: 'Ferrari' } }],
    ]);
    for (const key of ['constructor', 'toString', 'prototype', 'hasOwnProperty'])
      expectRefusal(
        await post(JSON.stringify({ name: 'x', [key]: {} })),
        400,
        'validation_error',
        'invalid_request',
      );
  });

  it('the server responds 413 to a body over the size limit, with or without a Content-Length', async () => {
    const big = `{"name":"${'x'.repeat(LIMIT)}"}`;
    expectRefusal(await post(big), 413, 'payload_too_large_error', 'body_too_large');
    const read = await post('x'.repeat(3_000_000));
    expectRefusal(read, 413, 'payload_too_large_error');
    expect(read.headers.connection, 'the connection stays open, because the whole body was read').toBe(
      'keep-alive',
    );
    const chunk = 'x'.repeat(50_000);
    const chunks = Array.from({ length: 40 }, () => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    const streamed = await sendRaw(
      port,
      'POST /v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      ...chunks,
      '0\r\n\r\n',
    );
    expect([streamed.status, JSON.parse(streamed.body).error.type]).toEqual([413, 'payload_too_large_error']);
  });

  it('the server responds 413 to a huge Content-Length before the body arrives, and closes the connection', async () => {
    const answer = await sendRaw(
      port,
      'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{',
    );
    expect([answer.status, answer.headers['connection']]).toEqual([413, 'close']);
  });

  it('the server accepts a request body with chunked transfer encoding', async () => {
    const answer = await sendRaw(
      port,
      'POST /v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      '5\r\n{"nam\r\n',
      '8\r\ne":"abc"\r\n1\r\n}\r\n0\r\n\r\n',
    );
    expect([answer.status, JSON.parse(answer.body)]).toEqual([201, { name: 'abc' }]);
  });

  it('the server decompresses request bodies and responds 413 if the decompressed body exceeds the limit', async () => {
    const json = '{"name":"packed"}';
    expect((await post(gzipSync(json), { 'content-encoding': 'gzip' })).json).toEqual({ name: 'packed' });
    expect((await post(deflateSync(json), { 'content-encoding': 'deflate' })).json).toEqual({
      name: 'packed',
    });
    expect((await post(brotliCompressSync(json), { 'content-encoding': 'br' })).json).toEqual({
      name: 'packed',
    });
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    expect(bomb.length).toBeLessThan(LIMIT);
    expectRefusal(await post(bomb, { 'content-encoding': 'gzip' }), 413, 'payload_too_large_error');
    expectRefusal(
      await post('no gzip', { 'content-encoding': 'gzip' }),
      400,
      'validation_error',
      'malformed_encoding',
    );
    expectRefusal(
      await post(json, { 'content-encoding': 'constructor' }),
      415,
      'unsupported_media_type_error',
    );
    expectRefusal(
      await post(json, { 'content-encoding': 'gzip, gzip' }),
      415,
      'unsupported_media_type_error',
    );
  });

  it('the server accepts a missing body on routes without required fields, and rejects unexpected fields', async () => {
    expect((await send('POST', `/v1/things/${ID}/cancel`)).json).toEqual({ reason: null });
    expect((await send('POST', `/v1/things/${ID}/cancel`, '{"reason":"late"}')).json).toEqual({
      reason: 'late',
    });
    expect((await send('POST', `/v1/things/${ID}/pause`)).status).toBe(200);
    expect((await send('POST', `/v1/things/${ID}/pause`, '', { 'content-type': 'text/plain' })).status).toBe(
      200,
    );
    expect((await send('POST', `/v1/things/${ID}/pause`, '{}')).status).toBe(200);
    for (const body of ['[]', 'null', '1'])
      expectRefusal(await send('POST', `/v1/things/${ID}/pause`, body), 400, 'validation_error');
    expectRefusal(
      await send('POST', `/v1/things/${ID}/pause`, '{"a":1}'),
      400,
      'validation_error',
      'unexpected_body',
    );
    expectRefusal(await send('POST', '/v1/things'), 400, 'validation_error', 'required');
  });
});

describe('validation', () => {
  const fieldsOf = ({ json }: Answer): unknown =>
    json.error.details.errors.map(({ field, code }) => `${field} ${code}`);

  it('a validation error response names the full path of every invalid field', async () => {
    const answer = await post(
      JSON.stringify({
        name: 7,
        config: { timeout_seconds: 0, retries: 3 },
        nodes: [{ id: 'a' }, { id: 1, with: [] }, null, { idd: 'x' }],
      }),
    );
    expectRefusal(answer, 400, 'validation_error', 'invalid_request');
    expect(fieldsOf(answer)).toEqual([
      'config.retries unknown_field',
      'nodes[2] is_object',
      'nodes[3].idd unknown_field',
      'name is_string',
      'config.timeout_seconds min',
      'nodes[1].id is_string',
      'nodes[1].with is_object',
      'nodes[3].id required',
    ]);
  });

  it('the details of a response with one validation error contain the field and the reason', async () => {
    const answer = await post('{"name":"x","config":{"timeout_seconds":3601}}');
    expect(answer.json.error.details).toEqual({
      field: 'config.timeout_seconds',
      reason: 'must not be greater than 3600',
      errors: [{ field: 'config.timeout_seconds', code: 'max', reason: 'must not be greater than 3600' }],
    });
    expect(answer.json.error.message).toBe('config.timeout_seconds must not be greater than 3600.');
  });

  it.each([
    ['{"name":"x","config":[]}', 'config is_object'],
    ['{"name":"x","config":"y"}', 'config is_object'],
    ['{"name":"x","nodes":{}}', 'nodes is_array'],
    ['{"name":"x","nodes":[[]]}', 'nodes[0] is_object'],
    ['{"name":"x","config":{"cache_enabled":"true"}}', 'config.cache_enabled is_boolean'],
    ['{"name":"x","config":{"timeout_seconds":"5"}}', 'config.timeout_seconds is_int'],
    ['{"name":"x","config":{"timeout_seconds":1.5}}', 'config.timeout_seconds is_int'],
    ['{"name":null}', 'name is_string'],
    [`{"name":"${'x'.repeat(21)}"}`, 'name max_length'],
  ])(
    'the server rejects the body %s because a field violates its declared type or length',
    async (body, fault) => {
      expect(fieldsOf(await post(body))).toEqual([fault]);
    },
  );

  it('the server parses query parameters as their declared types and rejects invalid values', async () => {
    const answer = await send('GET', '/v1/things?limit=5&status=open&status=closed&order=asc');
    expect(JSON.parse(answer.json.data[0]?.id ?? '')).toEqual({
      limit: 5,
      offset: 0,
      order: 'asc',
      status: ['open', 'closed'],
    });
    expect(answer.json.pagination).toEqual({ total: 1, limit: 5, offset: 0, has_more: false });
    expect(JSON.parse((await send('GET', '/v1/things?status=open')).json.data[0]?.id ?? '').status).toEqual([
      'open',
    ]);
    for (const [query, fault] of [
      ['limit=0', 'limit min'],
      ['limit=101', 'limit max'],
      ['limit=abc', 'limit is_int'],
      ['limit=', 'limit is_int'],
      ['limit=1e2', 'limit is_int'],
      ['limit=0x10', 'limit is_int'],
      ['limit=1.5', 'limit is_int'],
      ['limit=99999999999999999999999', 'limit is_int'],
      ['offset=-1', 'offset min'],
      ['offset=10001', 'offset max'],
      ['limit=1&limit=2', 'limit repeated'],
      ['order=up', 'order is_in'],
      ['status=odd', 'status is_in'],
      ['page=2', 'page unknown_field'],
      ['__proto__=1', '__proto__ unknown_field'],
      ['constructor=1', 'constructor unknown_field'],
      ['metadata=1', 'metadata is_map'],
      ['metadata[a]=1&metadata[a]=2', 'metadata[a] repeated'],
      ['limit[]=1', '["limit[]"] unknown_field'],
      ['limit[a][b]=1', '["limit[a][b]"] unknown_field'],
    ]) {
      const refusal = await send('GET', `/v1/things?${query}`);
      expectRefusal(refusal, 400, 'validation_error');
      expect(fieldsOf(refusal), query).toEqual([fault]);
    }
  });

  it('the validation pipe turns query parameters such as `metadata[a]=1` into a map', async () => {
    class Maps {
      @IsOptional()
      metadata?: Map<string, string>;
    }
    const query = { 'metadata[a]': '1', 'metadata[constructor]': 'x' };
    const read = new ValidationPipe().transform(query, { type: 'query', metatype: Maps }) as Maps;
    expect([...(read.metadata ?? [])]).toEqual([
      ['a', '1'],
      ['constructor', 'x'],
    ]);
  });

  it('the server rejects null for an optional field that is not nullable', async () => {
    const answer = await post('{"name":"x","config":null,"input":null,"note":null}');
    expectRefusal(answer, 400, 'validation_error', 'invalid_request');
    expect(fieldsOf(answer)).toEqual(['config not_nullable', 'input not_nullable']);
    const nested = await post('{"name":"x","config":{"timeout_seconds":null}}');
    expect(nested.json.error.details).toMatchObject({
      field: 'config.timeout_seconds',
      reason: 'must not be null; omit it instead',
    });
    expect(fieldsOf(await post('{"name":null}'))).toEqual(['name is_string']);
    expect((await post('{"name":"x","note":null}')).json).toEqual({ name: 'x', note: null });
  });

  it('a validation error names the index of an invalid list element', async () => {
    const answer = await post('{"name":"x","tags":["a","B",7,"c","D"]}');
    expect(fieldsOf(answer)).toEqual(['tags[1] matches', 'tags[2] is_string', 'tags[4] matches']);
    expect(answer.json.error.details).toMatchObject({
      field: 'tags[1]',
      reason: 'must match /^[a-z]+$/ regular expression',
    });
    expect(fieldsOf(await post('{"name":"x","tags":"a"}'))).toEqual(['tags is_array']);
    expect(fieldsOf(await post('{"name":"x","tags":["a","a","a","a","a","A"]}'))).toEqual([
      'tags array_max_size',
      'tags[5] matches',
    ]);
    expect(fieldsOf(await post('{"name":"x","nodes":[{"id":"a","needs":["b",null]}]}'))).toEqual([
      'nodes[0].needs[1] is_string',
    ]);
  });

  it('the server rejects unknown query parameters and malformed ids', async () => {
    const unknown = await send('GET', `/v1/things/${ID}?x=1&y=2`);
    expectRefusal(unknown, 400, 'validation_error');
    expect(fieldsOf(unknown)).toEqual(['x unknown_field', 'y unknown_field']);
    const malformed = await send('GET', '/v1/things/not-an-id');
    expectRefusal(malformed, 400, 'validation_error', 'is_uuid');
    expect(malformed.json.error.details.field).toBe('id');
    expect((await send('GET', `/v1/things/${ID.toUpperCase()}`)).json).toEqual({ id: ID });
  });

  it('the server parses a boolean query parameter and rejects values other than true and false', async () => {
    const replace = (query: string): Promise<Answer> =>
      send('PUT', `/v1/things/${ID}${query}`, '{"name":"x"}');
    expect((await replace('?force=true')).json.force).toBe(true);
    expect((await replace('?force=false')).json.force).toBe(false);
    expectRefusal(await replace('?force=yes'), 400, 'validation_error', 'is_boolean');
    expectRefusal(await replace('?force=true&force=false'), 400, 'validation_error', 'repeated');
    expectRefusal(await replace('?forced=true'), 400, 'validation_error');
  });
});

describe('request targets', () => {
  it.each([
    ['//v1/things', 'malformed_path'],
    ['/v1//things', 'malformed_path'],
    ['/v1/things/../things', 'malformed_path'],
    ['/v1/./things', 'malformed_path'],
    ['/v1/%2e%2e/things', 'malformed_path'],
    ['/v1/things/%2E%2E%2f', 'malformed_path'],
    ['/v1\\things', 'malformed_path'],
    ['/v1/things/%00', 'nul_character'],
    ['/v1/things/%', 'malformed_percent_encoding'],
    ['/v1/things/%zz', 'malformed_percent_encoding'],
    ['/v1/things/%ff', 'malformed_percent_encoding'],
    ['/v1/things/%ed%a0%80', 'malformed_percent_encoding'],
    ['/v1/things?limit=%', 'malformed_percent_encoding'],
    ['/v1/things?limit=%ff', 'malformed_percent_encoding'],
    ['/v1/things?limit=%00', 'nul_character'],
  ])('the server responds to the invalid request target %s with the error code %s', async (target, code) => {
    expectRefusal(await send('GET', target), 400, 'validation_error', code);
  });

  it('the server accepts an absolute URL as request target, a slash at the end of a path, and dots inside a path segment', async () => {
    expect((await send('GET', `http://127.0.0.1:${port}/v1/things?limit=1`)).status).toBe(200);
    expect((await send('GET', '/v1/things/')).status).toBe(200);
    expectRefusal(await send('GET', '/v1/things/a..b'), 400, 'validation_error', 'is_uuid');
  });

  it('the server responds 404 to an unknown path, and 405 with an Allow header to an unsupported method', async () => {
    for (const path of ['/', '/v2/workflows', '/v1', '/v1/thingsx', `/v1/things/${ID}/x/y`, '/fail'])
      expectRefusal(await send('GET', path), 404, 'not_found_error', 'path_not_found');
    const answer = await send('DELETE', '/v1/things');
    expectRefusal(answer, 405, 'method_not_allowed_error', 'method_not_allowed');
    expect(answer.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
    expect((await send('GET', `/v1/things/${ID}/cancel`)).headers.allow).toBe('POST, OPTIONS');
    expectRefusal(await send('TRACE', '/v1/things'), 405, 'method_not_allowed_error');
    expectRefusal(await send('DELETE', '/v1/nothing', '{malformed', {}), 404, 'not_found_error');
  });

  it('the server compares request paths case-sensitively', async () => {
    expect((await send('GET', '/v1/things')).status).toBe(200);
    for (const path of ['/V1/things', '/v1/Things', '/v1/THINGS?limit=1'])
      expectRefusal(await send('GET', path), 404, 'not_found_error', 'path_not_found');
  });

  it('the server responds to HEAD without a body, and to OPTIONS with the allowed methods', async () => {
    const head = await send('HEAD', '/v1/things');
    expect([head.status, head.text]).toEqual([200, '']);
    expect((await send('HEAD', '/nothing')).status).toBe(404);
    const options = await send('OPTIONS', '/v1/things');
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });
});

describe('a request without a credential', () => {
  const stranger = (
    method: string,
    target: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const head = [`${method} ${target} HTTP/1.1`, 'Host: x', 'Connection: close'];
      if (body !== undefined) head.push(`Content-Length: ${body.length}`);
      for (const [name, value] of Object.entries(headers)) head.push(`${name}: ${value}`);
      sendRaw(port, `${head.join('\r\n')}\r\n\r\n${body ?? ''}`).then(
        (answer) => resolve({ ...answer, text: answer.body, json: JSON.parse(answer.body) as AnswerJson }),
        reject,
      );
    });

  it('an invalid request without credentials gets the authentication error instead of a validation error', async () => {
    for (const answer of [
      await stranger('POST', '/private', '{malformed', { 'Content-Type': 'application/json' }),
      await stranger('POST', '/private', '<xml/>', { 'Content-Type': 'text/xml' }),
      await stranger('POST', '/private', 'x'.repeat(LIMIT + 1)),
      await stranger('GET', '/nothing'),
      await stranger('GET', '/nothing/%zz'),
      await stranger('GET', '//etc/../passwd'),
      await stranger('DELETE', '/private'),
    ]) {
      expectRefusal(answer, 401, 'authentication_error', 'invalid_api_key');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });
});

describe('internal errors', () => {
  it('the response to an internal error does not reveal the cause', async () => {
    for (const path of ['/fail/plain', '/fail/text']) {
      const answer = await send('GET', path);
      expectRefusal(answer, 500, 'server_error', 'internal_error');
      expect(answer.text).not.toMatch(/SELECT|a text|at /);
    }
  });

  it('the server responds 503 with Retry-After while a dependency is unavailable', async () => {
    for (const [path, seconds] of [
      ['/fail/locked', 1],
      ['/fail/refused', 1],
      ['/fail/away', 7],
    ] as const) {
      const answer = await send('GET', path);
      expectRefusal(answer, 503, 'unavailable_error', 'unavailable');
      expect([answer.headers['retry-after'], answer.json.error.retry_after]).toEqual([
        String(seconds),
        seconds,
      ]);
    }
  });

  it("the response to an application error contains the error's code and details", async () => {
    const answer = await send('POST', `/v1/things/${ID}/conflict`);
    expectRefusal(answer, 409, 'conflict_error', 'thing_busy');
    expect(answer.json.error).toMatchObject({ message: 'The thing is busy.', details: { since: 1 } });
  });
});

describe('errors below the router', () => {
  it.each([
    ['GARBAGE\r\n\r\n', 400, 'malformed_request'],
    ['GET / HTTP/9.9\r\n\r\n', 400, 'malformed_request'],
    ['GET /v1/things HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n', 400, 'malformed_request'],
    [
      'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed_request',
    ],
    ['POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400, 'malformed_request'],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['GET /v1/things HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'required'],
  ])(
    'the server responds to the invalid request %j with an error in the standard format',
    async (bytes, status, code) => {
      const answer = await sendRaw(port, bytes);
      expect([answer.status, answer.headers['connection']]).toEqual([status, 'close']);
      const { error } = JSON.parse(answer.body);
      expect(error).toMatchObject({ type: 'validation_error', code });
      expect(error.request_id).toBe(answer.headers['x-request-id']);
    },
  );

  it('the server accepts a request with an unknown Expect header', async () => {
    expect((await send('GET', '/v1/things', undefined, { expect: 'a miracle' })).status).toBe(200);
  });

  it('the server keeps a valid X-Request-Id of a request, and replaces an invalid X-Request-Id', async () => {
    expect(
      (await send('GET', '/nothing', undefined, { 'x-request-id': 'a.B_9-' })).json.error.request_id,
    ).toBe('a.B_9-');
    for (const id of ['', 'a b', 'x'.repeat(129), '<script>'])
      expect(
        (await send('GET', '/v1/things', undefined, { 'x-request-id': id })).headers['x-request-id'],
      ).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('the Content-Length of a JSON response is its length in bytes, also in response to HEAD', async () => {
    const answers = await Promise.all(['object', 'list', 'nothing'].map((path) => ask(path)));
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual([
      '{"text":"größer"}',
      '[1,2]',
      '',
    ]);
    expect(answers.map(({ headers }) => headers.get('content-length'))).toEqual(['19', '5', '0']);
    const head = await ask('object', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '19', '']);
    expect(head.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('the server keeps the content type that a handler sets, and responds 304 if If-None-Match matches the ETag', async () => {
    expect((await ask('typed')).headers.get('content-type')).toContain('application/merge-patch+json');
    // Sends raw requests, because `fetch` adds cache headers that disable the comparison with the ETag.
    const statusOf = async (path: string, tag: string): Promise<number> => {
      const lines = ['Host: x', `If-None-Match: ${tag}`, 'Connection: close'];
      return (await sendRaw(port, `GET /answers/${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)).status;
    };
    expect([
      await statusOf('tagged', '"7"'),
      await statusOf('tagged', '"8"'),
      await statusOf('object', '*'),
    ]).toEqual([304, 200, 304]);
  });

  it('responses have security headers and no header that identifies the server software', async () => {
    const { headers } = await send('GET', '/v1/things');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toMatch(/unsafe/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['strict-transport-security']).toBeUndefined();
  });
});

describe('/openapi.json and /swagger', () => {
  it('the OpenAPI document describes operations with their errors, headers and examples', async () => {
    const { status, json } = await send('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(json.openapi).toMatch(/^3\.0\./);
    const operation = (method: string, path = '/v1/things'): DocumentedOperation => {
      const found = json.paths[path]?.[method];
      if (found === undefined) throw new Error(`${method} ${path} is not documented`);
      return found;
    };
    const [get, create] = [operation('get'), operation('post')];
    expect([get.operationId, create.operationId]).toEqual(['listThings', 'createThing']);
    expect(Object.keys(create.responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    expect(create.responses['201']?.headers).toHaveProperty('X-Request-Id');
    expect(create.requestBody.content['application/json'].example.name).toBe('Nightly report');
    expect(get.responses['200']?.content['application/json'].example.pagination.limit).toBe(20);
    expect(get.parameters.map(({ name }) => name).toSorted()).toEqual(['cursor', 'limit', 'offset', 'order']);
    expect(operation('get', '/v1/things/{id}').responses['412']).toEqual({
      $ref: '#/components/responses/Error412',
    });
    expect(json.components.responses['Error429']?.headers).toHaveProperty('Retry-After');
    expect(json.components.responses['Error429']?.content['application/json'].example.error.retry_after).toBe(
      60,
    );
    expect(Object.keys(json.paths)).not.toContain('/{path}');
    const ids = Object.values(json.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('the page /swagger loads only files from the server and has no inline scripts', async () => {
    const view = await send('GET', '/swagger');
    expect(view.headers['content-type']).toMatch(/text\/html/);
    const sources = [...view.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '');
    expect(sources).toHaveLength(4);
    for (const source of sources) expect((await send('GET', source)).status, source).toBe(200);
    expect(view.text).not.toMatch(/<script>|https?:|style=/);
    expectRefusal(await send('GET', '/swagger/package.json'), 404, 'not_found_error');
  });
});
