import type { Command } from 'commander';
import { maskedSettings, readSettings } from '../settings/index.js';
import { type Terminal, printJson } from './terminal.js';

/** `config`: prints the effective settings, with secrets masked. */
export function defineConfigCommand(command: Command, terminal: Terminal): void {
  command.option('--json', 'print JSON').action(({ json }: { readonly json?: true }) => {
    const settings = maskedSettings(readSettings(terminal.environment()));
    if (json === true) return printJson(terminal, settings);
    for (const [name, value] of Object.entries(settings)) terminal.out(`${name}=${inEnvironment(value)}\n`);
  });
}

/**
 * Formats the value of a setting as in an environment variable: lists with commas, objects as JSON, null as an empty
 * text.
 */
function inEnvironment(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
