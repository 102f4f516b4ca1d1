export { ExternalIdentityEntity } from './external-identity.entity.js';
export { IssuerRevocation } from './issuer-revocation.service.js';
export { TokenExchangeModule } from './token-exchange.module.js';
export { tokenIssuerFaults } from './token-issuers.js';
export { UsedTokenEntity } from './used-token.entity.js';
