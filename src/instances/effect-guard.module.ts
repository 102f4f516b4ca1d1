import { Module } from '@nestjs/common';
import { EffectGuard } from './effect-guard.js';

/** A separate module, so that node types need no database. */
@Module({ providers: [EffectGuard], exports: [EffectGuard] })
export class EffectGuardModule {}
