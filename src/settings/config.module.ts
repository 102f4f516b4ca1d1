import { type DynamicModule, Module } from '@nestjs/common';
import { type Settings, SETTINGS } from './settings.js';

@Module({})
export class ConfigModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: SETTINGS, useValue: settings }],
      exports: [SETTINGS],
    };
  }
}
