import {
  applyDecorators,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Req,
  Res,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AddressRanges, Public, refusing, requestAddress } from '../access/index.js';
import { AnyInput, ApiAnswers, bodyFaultOf, countAsAuthenticated, requestIdOf } from '../http/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { DeliveryResponses } from './delivery-responses.js';
import { HookAdmission } from './hook-admission.js';
import { headersOf } from './hook-request.js';
import { AcceptedDeliveryView } from './hook.view.js';

/**
 * Declares a public route that receives requests to hooks. The token in the path is the only credential that the route
 * needs.
 */
function ReceivesDeliveries(method: string, hasBody: boolean): MethodDecorator {
  const body = ApiBody({
    description: 'Body of the request: JSON, a form or text. The templates of the hook can read it.',
    required: false,
    schema: {},
  });
  return applyDecorators(
    HttpCode(202),
    Public(),
    AnyInput(),
    ApiOperation({
      summary: `Send a ${method} request to a hook`,
      operationId: `deliverToHookBy${method.charAt(0)}${method.slice(1).toLowerCase()}`,
    }),
    ApiParam({
      name: 'token',
      description: 'Token of the hook: the last path segment of the URL.',
      schema: { type: 'string' },
      example: 'whk_Ab3dEXAMPLE_EXAMPLE_EXAMPLE_EX12',
    }),
    ...(hasBody ? [body] : []),
    ApiAnswers(
      {
        200: {
          description:
            'The output of the execution: any JSON. Only hooks with `respond: output` send this response.',
          isAnyJson: true,
        },
        202: {
          description:
            'The execution that the request started or signaled. The service stores the execution or signal before it sends the response.',
          type: AcceptedDeliveryView,
        },
      },
      400,
      401,
      404,
      405,
      409,
      413,
      415,
      429,
      502,
    ),
  );
}

/**
 * Receives requests of other systems to hooks. Requests are repetitions if the hook's `deduplication` template gives
 * the same key. Without that template, the header `webhook-id`, `X-GitHub-Delivery` or `Idempotency-Key` is the key. A
 * repetition has no effect and returns the execution of the first request.
 */
@ApiTags('hooks')
@Controller('hooks/:token')
export class ReceivedHooksController {
  private readonly trustedProxies: AddressRanges;

  constructor(
    private readonly admission: HookAdmission,
    private readonly deliveries: DeliveryResponses,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.trustedProxies = AddressRanges.of(settings.TRUSTED_PROXIES);
  }

  @Post()
  @ReceivesDeliveries('POST', true)
  post(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    return this.receive(token, request, response);
  }

  @Get()
  @ReceivesDeliveries('GET', false)
  get(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    return this.receive(token, request, response);
  }

  @Put()
  @ReceivesDeliveries('PUT', true)
  put(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    return this.receive(token, request, response);
  }

  @Patch()
  @ReceivesDeliveries('PATCH', true)
  patch(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    return this.receive(token, request, response);
  }

  @Delete()
  @ReceivesDeliveries('DELETE', true)
  delete(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    return this.receive(token, request, response);
  }

  private async receive(token: string, request: Request, response: Response): Promise<unknown> {
    const address = requestAddress(request, this.trustedProxies);
    const admitted = await this.admission.admit(token, address);
    countAsAuthenticated(request.socket);
    const body: unknown = request.body;
    const received = {
      request: {
        method: request.method,
        headers: headersOf(request.headers),
        query: request.query,
        rawBody: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        address,
        requestId: requestIdOf(request),
        source: 'sender',
      },
      bodyFault: bodyFaultOf(request),
    } as const;
    try {
      return await this.deliveries.respond(admitted, received, response);
    } catch (error) {
      const { hook, teamId } = admitted;
      throw refusing(error, { teamId, projectId: hook.projectId });
    }
  }
}
