export { type ConnectionLimitOptions, countAsAuthenticated } from './edge/connection-limit.js';
export { isRefused } from './edge/connections.js';
export { HttpAdapter } from './edge/http-adapter.js';
export { configureHttp } from './edge/http-application.js';
export { IfMatch, TakesIfMatch } from './edge/if-match.js';
export { isHttps, publicUrl } from './edge/public-url.js';
export { IgnoresReadOnly } from './edge/read-only-fields.js';
export { REQUEST_ID_HEADER, requestIdOf } from './edge/request-id.js';
export { basePathOf, pathOf, withoutBasePath } from './edge/request-path.js';
export { bodyFaultOf } from './edge/held-fault.js';
export { jsonFault } from './edge/json-check.js';
export { holdOpen, type ResponseListener } from './edge/request-time.js';
export { serviceUrl } from './edge/service-url.js';
export { readTlsFiles } from './edge/tls.js';
export { UnknownPathModule } from './edge/unknown-path.module.js';
export { errorBody } from './errors/error-answer.js';
export { REFUSAL_LISTENER, type RefusalListener } from './errors/error.filter.js';
export { HTTP_PROVIDERS } from './http.providers.js';
export {
  ApiAnswers,
  ApiErrors,
  ApiPage,
  ETAG_HEADER,
  LOCATION_HEADER,
} from './openapi/openapi-decorators.js';
export { setupOpenApi } from './openapi/openapi.js';
export { etagOf, requireMatch } from './edge/etag.js';
export { IdentifierPipe, IdParam } from './validation/identifier.pipe.js';
export { AnyInput, InputGuard } from './validation/input.guard.js';
export { IntegerParam } from './validation/integer.pipe.js';
export { mergePatch } from './validation/merge-patch.js';
export { BodyMayBeAbsent, ValidationPipe } from './validation/validation.pipe.js';
