export { withV0Reads } from './v0-document.js';
export { answerV0, successorOf } from './v0-reads.js';
