import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.js';

const pathOf = (url: string) => readSettings({ DATABASE_URL: url }).database;

describe('DATABASE_URL', () => {
  it.each([
    ['sqlite:///var/lib/workflow.sqlite', '/var/lib/workflow.sqlite'],
    ['sqlite://data/workflow.sqlite', 'data/workflow.sqlite'],
    ['sqlite:///tmp/my%20file%25', '/tmp/my file%'],
  ])('%s names the SQLite file %s', (url, path) => {
    expect(pathOf(url)).toEqual({ dialect: 'sqlite', path });
  });

  it.each(['sqlite:/tmp/workflow.sqlite', 'sqlite:workflow.sqlite', 'sqlite://', '/tmp/workflow.sqlite'])(
    '%s is refused, because it does not begin with `sqlite://` and a path',
    (url) => {
      expect(() => pathOf(url)).toThrow('DATABASE_URL must be a URL beginning with sqlite://');
    },
  );

  it('a SQLite path with an invalid percent-encoding is refused', () => {
    expect(() => pathOf('sqlite:///tmp/100%')).toThrow('write the character % as %25');
  });
});
