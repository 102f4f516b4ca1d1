import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { readSettings } from '../settings/index.js';
import { CliModule } from './cli.module.js';
import type { Terminal } from './terminal.js';

/**
 * Runs a CLI command with the modules of the service, on the database from the settings. The service may run at the
 * same time.
 * @throws SettingsError
 * @throws DatabaseUnavailableError
 */
export async function withApplication<T>(
  { environment }: Terminal,
  command: (application: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const application = await NestFactory.createApplicationContext(
    CliModule.forRoot(readSettings(environment())),
    {
      logger: false,
      abortOnError: false,
    },
  );
  try {
    return await command(application);
  } finally {
    await application.close();
  }
}
