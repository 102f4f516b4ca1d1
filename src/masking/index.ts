export { SecretMask } from './secret-mask.js';
