import type { Express } from 'express';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const ASSETS = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

function pageAt(basePath: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Workflow Service API</title>
    <link rel="icon" type="image/png" href="${basePath}/swagger/favicon-32x32.png">
    <link rel="stylesheet" href="${basePath}/swagger/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${basePath}/swagger/swagger-ui-bundle.js"></script>
    <script src="${basePath}/swagger/start.js"></script>
  </body>
</html>
`;
}

/**
 * Script that starts Swagger UI. The script is a separate file, because the content security policy forbids inline
 * scripts.
 */
function startScript(documentUrl: string): string {
  return `SwaggerUIBundle({
  url: ${JSON.stringify(documentUrl)},
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;
}

/**
 * Serves Swagger UI, the interactive API documentation, at `/swagger`. All files are local.
 * @param basePath path of `BASE_URL`, which the page puts before its links
 */
export function serveSwaggerUi(express: Express, basePath: string): void {
  express.get('/swagger', (_request, response) => {
    response.type('html').send(pageAt(basePath));
  });
  express.get('/swagger/start.js', (_request, response) => {
    response.type('text/javascript').send(startScript(`${basePath}/openapi.json`));
  });
  for (const file of FILES)
    express.get(`/swagger/${file}`, (_request, response) => {
      response.sendFile(file, { root: ASSETS, maxAge: '1d' });
    });
}
