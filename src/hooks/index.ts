export { HOOKS_PATH } from './hook-address.js';
export { HookSecrets } from './hook-secrets.js';
export { HooksModule } from './hooks.module.js';
