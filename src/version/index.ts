export { type BuildInfo, readBuildInfo } from './build-info.js';
export { VersionModule } from './version.module.js';
