export { nodeContext } from './testing/node-context.js';
