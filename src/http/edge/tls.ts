import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Settings } from '../../settings/index.js';

export interface TlsFiles {
  /** The certificate of the server in PEM format, followed by intermediate certificates. */
  readonly cert: Buffer;
  readonly key: Buffer;
}

/**
 * Reads the files that the settings `TLS_CERT` and `TLS_KEY` name. Undefined if the settings are absent.
 * @throws Error that names the setting if a file cannot be read, or if the key does not match the certificate
 */
export function readTlsFiles({
  TLS_CERT,
  TLS_KEY,
}: Pick<Settings, 'TLS_CERT' | 'TLS_KEY'>): TlsFiles | undefined {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return undefined;
  const cert = contentsOf('TLS_CERT', TLS_CERT);
  const key = contentsOf('TLS_KEY', TLS_KEY);
  check('TLS_CERT', `${TLS_CERT} contains no PEM certificate`, () => createSecureContext({ cert }));
  check('TLS_KEY', `${TLS_KEY} contains no PEM private key without a passphrase`, () =>
    createSecureContext({ key }),
  );
  check('TLS_KEY', `${TLS_KEY} does not match the certificate in ${TLS_CERT}`, () =>
    createSecureContext({ cert, key }),
  );
  return { cert, key };
}

function contentsOf(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${setting}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}

function check(setting: string, fault: string, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new Error(`${setting}: ${fault}`, { cause: error });
  }
}
