import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { completed } from './openapi-completion.js';
import { operationId } from './operation-id.js';
import { serveSwaggerUi } from './swagger-ui.js';

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Base URL of the service. `/` means the origin from which the client loaded the OpenAPI document. */
  readonly serverUrl: string;
  /** Path of `serverUrl`. The HTML pages of the API documentation put this path before their links. */
  readonly basePath?: string;
  /** Adds routes that have no controller to the OpenAPI document. */
  readonly extend?: (document: OpenAPIObject) => OpenAPIObject;
}

export function openApiDocument(app: NestExpressApplication, about: ApiDescription): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.0.3')
    .setTitle(about.title)
    .setVersion(about.version)
    .setDescription(about.description)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(about.serverUrl)
    // `addBearerAuth` of @nestjs/swagger is not used, because it would document API keys as JWTs.
    .addSecurity('bearer', {
      type: 'http',
      scheme: 'bearer',
      description: 'API key, sent in the header `Authorization: Bearer <API_KEY>`.',
    })
    .addCookieAuth(
      'workflow_sign_in',
      {
        type: 'apiKey',
        in: 'cookie',
        description:
          'Sign-in cookie of the dashboard. Over HTTPS, its name begins with `__Host-`. The service accepts the cookie only in requests from the origin of the service.',
      },
      'dashboard',
    )
    .addSecurityRequirements('bearer')
    .build();
  const document = completed(SwaggerModule.createDocument(app, config, { operationIdFactory: operationId }));
  return about.extend?.(document) ?? document;
}

/**
 * Serves `/openapi.json` and `/swagger` without authentication. Must be called before the application is initialized,
 * so that these routes precede the catch-all route.
 */
export function setupOpenApi(app: NestExpressApplication, about: ApiDescription): void {
  const express = app.getHttpAdapter().getInstance();
  let json: Buffer | undefined;
  express.get('/openapi.json', (_request, response) => {
    json ??= Buffer.from(JSON.stringify(openApiDocument(app, about)));
    response.type('application/json').setHeader('Cache-Control', 'no-cache');
    response.send(json);
  });
  serveSwaggerUi(express, about.basePath ?? '');
}
