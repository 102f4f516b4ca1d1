export { ConfigModule } from './config.module.js';
export { environment } from './environment.js';
export { maskedSettings } from './masked-settings.js';
export { mustBeWritable, serverHosts, serverUrls, withoutPassword } from './postgres-url.js';
export {
  type DatabaseSettings,
  inspectSettings,
  type PlanLimits,
  readSettings,
  SETTING_NAMES,
  type Settings,
  SETTINGS,
  SettingsError,
} from './settings.js';
export type { TokenIssuer } from './token-issuer.js';
