import { Module } from '@nestjs/common';
import { ExpressionsController } from './expressions.controller.js';

/** Help for authors of workflows, before anything is saved or recorded. */
@Module({ controllers: [ExpressionsController] })
export class AuthoringModule {}
