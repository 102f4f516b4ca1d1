export { type SecretProvider, SecretSource } from './providers/secret-provider.js';
export { type SecretUser, type SecretUserFinder, SecretUsers } from './secret-users.js';
export { Secrets } from './secrets.js';
export { SecretsModule } from './secrets.module.js';
