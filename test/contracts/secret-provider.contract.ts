import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SecretProvider } from '../../src/secrets/index.js';
import { newId } from '../../src/platform/index.js';

/** A secret provider under test, and functions that change its secrets. */
export interface ProviderUnderTest {
  readonly provider: SecretProvider;
  readonly set: (projectId: string, name: string, value: string) => Promise<void>;
  readonly remove: (projectId: string, name: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Tests that every implementation of `SecretProvider` must pass. */
export function describeSecretProvider(name: string, open: () => Promise<ProviderUnderTest>): void {
  describe(`the secret provider ${name}`, () => {
    const [project, other] = [newId(), newId()];
    const { signal } = new AbortController();
    let tested: ProviderUnderTest;

    beforeAll(async () => {
      tested = await open();
      await tested.set(project, 'KEY', 'the väluë "1"\n');
      await tested.set(project, 'SECOND', 'second');
      await tested.set(other, 'KEY', 'of the other project');
    });
    afterAll(() => tested?.close());

    it('a secret provider returns the values of the requested names that exist in the project', async () => {
      expect(await tested.provider.read(project, ['KEY', 'MISSING', 'SECOND'], signal)).toEqual(
        new Map([
          ['KEY', 'the väluë "1"\n'],
          ['SECOND', 'second'],
        ]),
      );
    });

    it('a secret provider keeps the secrets of projects separate', async () => {
      expect(await tested.provider.read(other, ['KEY', 'SECOND'], signal)).toEqual(
        new Map([['KEY', 'of the other project']]),
      );
      expect((await tested.provider.read(newId(), ['KEY'], signal)).size).toBe(0);
    });

    it('a secret provider returns no values for an empty list of names', async () => {
      expect((await tested.provider.read(project, [], signal)).size).toBe(0);
      expect((await tested.provider.existing(project, [])).size).toBe(0);
    });

    it('a secret provider returns which of the given names exist, without their values', async () => {
      expect(await tested.provider.existing(project, ['SECOND', 'MISSING', 'KEY'])).toEqual(
        new Set(['KEY', 'SECOND']),
      );
    });

    it('a secret provider returns a changed value at the next read, and no value after the deletion', async () => {
      await tested.set(project, 'CHANGING', 'before');
      expect((await tested.provider.read(project, ['CHANGING'], signal)).get('CHANGING')).toBe('before');
      await tested.set(project, 'CHANGING', 'after');
      expect((await tested.provider.read(project, ['CHANGING'], signal)).get('CHANGING')).toBe('after');
      await tested.remove(project, 'CHANGING');
      expect((await tested.provider.read(project, ['CHANGING'], signal)).size).toBe(0);
      expect((await tested.provider.existing(project, ['CHANGING'])).size).toBe(0);
    });

    it('a secret provider returns a value of 64 KiB', async () => {
      const value = 'ä'.repeat(32_768);
      await tested.set(project, 'LONG', value);
      expect((await tested.provider.read(project, ['LONG'], signal)).get('LONG')).toBe(value);
    });
  });
}
