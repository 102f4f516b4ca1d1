export { HOOKS_PATH } from './hook-address.js';
export { HooksModule } from './hooks.module.js';
export { HooksService } from './hooks.service.js';
export type { HookView, HookWithUrlView } from './hook.view.js';
