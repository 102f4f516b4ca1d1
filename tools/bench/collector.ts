/**
 * A trace collector that discards all spans. It has its own process, so that it does not use CPU time of the clients'
 * process.
 */
import { startReceiver } from './receiver.ts';

const { url } = await startReceiver();
process.stdout.write(`${url}\n`);
