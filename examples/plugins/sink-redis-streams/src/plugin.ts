import { definePlugin } from 'workflow-service/module';
import { RedisStreamsModule } from './redis-streams.module.js';

export const plugin = definePlugin({ apiVersion: 1, modules: [RedisStreamsModule] });
