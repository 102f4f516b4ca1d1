import { describe, expect, it } from 'vitest';
import { keyIdOf, KeyRing, UnreadableSecretError } from './key-ring.js';

describe('KeyRing', () => {
  it('a key ring decrypts what it encrypted, and encrypts the same text differently each time', () => {
    const ring = new KeyRing(['first key']);
    const [one, two] = [ring.seal('pässword', 'secret:1'), ring.seal('pässword', 'secret:1')];
    expect(ring.open(one, 'secret:1')).toBe('pässword');
    expect(ring.open(two, 'secret:1')).toBe('pässword');
    expect(one).not.toBe(two);
    expect(one).not.toContain('pässword');
  });

  it('a key ring decrypts texts of an older key and encrypts with its current key', () => {
    const old = new KeyRing(['old']).seal('value', 'secret:1');
    const ring = new KeyRing(['new', 'old']);
    expect(ring.open(old, 'secret:1')).toBe('value');
    expect(keyIdOf(ring.seal('value', 'secret:1'))).toBe(ring.currentKeyId);
    expect(keyIdOf(old)).not.toBe(ring.currentKeyId);
  });

  it('a key ring refuses to decrypt a text that an unknown key encrypted, and its error names that key', () => {
    const sealed = new KeyRing(['lost']).seal('value', 'secret:1');
    expect(() => new KeyRing(['new']).open(sealed, 'secret:1')).toThrow(keyIdOf(sealed));
  });

  it('a key ring refuses to decrypt a text that was encrypted with a different context', () => {
    const ring = new KeyRing(['key']);
    expect(() => ring.open(ring.seal('value', 'secret:1'), 'secret:2')).toThrow(UnreadableSecretError);
  });

  it('a key ring refuses an encrypted text in which any character was changed', () => {
    const ring = new KeyRing(['key']);
    const sealed = ring.seal('value', 'secret:1');
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'Q' : 'A') + sealed.slice(at + 1);
      expect(() => ring.open(changed, 'secret:1'), changed).toThrow(UnreadableSecretError);
    }
  });

  it('a key ring refuses an encrypted text whose nonce and body are empty', () => {
    const ring = new KeyRing(['key']);
    expect(() => ring.open(`v1.${ring.currentKeyId}..`, 'secret:1')).toThrow(UnreadableSecretError);
  });
});
