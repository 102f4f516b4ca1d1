import { Module } from '@nestjs/common';
import { EffectGuard } from './effect-guard.js';

/** This module is separate from `InstancesModule`, so that node types do not depend on a database. */
@Module({ providers: [EffectGuard], exports: [EffectGuard] })
export class EffectGuardModule {}
