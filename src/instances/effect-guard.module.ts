import { Module } from '@nestjs/common';
import { EffectGuard } from './effect-guard.js';

/** Separate from `InstancesModule`, so that node types can use it without a database. */
@Module({ providers: [EffectGuard], exports: [EffectGuard] })
export class EffectGuardModule {}
