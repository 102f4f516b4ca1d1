export { type SecretProvider, SecretSource } from './providers/secret-provider.js';
export { type SecretUser, type SecretUserFinder, SecretUsers } from './secret-users.js';
export { SecretRotation } from './secret-rotation.js';
export { SecretStoreModule } from './secret-store.module.js';
export { Secrets } from './secrets.js';
export { SecretsModule } from './secrets.module.js';
export { SecretsService } from './secrets.service.js';
export type { SecretView } from './secret.view.js';
