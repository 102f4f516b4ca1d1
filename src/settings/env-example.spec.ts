import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readSettings, SETTING_NAMES } from './settings.js';

const lines = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').split('\n');
const assignments = lines.filter((line) => /^#[A-Z_]+=/.test(line)).map((line) => line.slice(1));

describe('.env.example', () => {
  it('.env.example lists every setting once, in the order of the code', () => {
    expect(assignments.map((line) => line.slice(0, line.indexOf('=')))).toEqual(SETTING_NAMES);
  });

  it('.env.example shows the default of each setting', () => {
    const shown = { ...parseEnv(assignments.join('\n')) };
    expect(readSettings(shown)).toEqual(readSettings({}));
  });

  it('.env.example has a comment above each setting', () => {
    const bare = lines.filter((line, at) => /^#[A-Z_]+=/.test(line) && !/^# \S/.test(lines[at - 1] ?? ''));
    expect(bare).toEqual([]);
  });
});
