export type { Files } from './files.js';
export { moduleFiles } from './module-files.js';
export { type ModuleName, readModuleName } from './module-name.js';
export { FROM_NODE_TYPES_ROOM, FROM_PACKAGE, nodeFiles, nodeReadme } from './node-files.js';
export { type NodeName, readNodeName } from './node-name.js';
export { pluginFiles } from './plugin-files.js';
