import './platform/runtime-version.js';
import 'reflect-metadata';
import { createApplication } from './application.js';
import { environment, readSettings } from './platform/index.js';

const settings = readSettings(environment());
const app = await createApplication(settings);
await app.listen(settings.PORT, settings.HOST);
process.stdout.write(`listening on ${await app.getUrl()}\n`);
