import { Module } from '@nestjs/common';
import { AsyncApiController } from './asyncapi.controller.js';

@Module({ controllers: [AsyncApiController] })
export class AsyncApiModule {}
