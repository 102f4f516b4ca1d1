/** A trace collector that discards all spans. A separate process, so that it takes no time from the clients. */
import { startReceiver } from './receiver.ts';

const { url } = await startReceiver();
process.stdout.write(`${url}\n`);
