import { Injectable } from '@nestjs/common';
import { Encryption } from '../encryption/index.js';
import { Writer } from '../storage/index.js';
import { sealContext } from './secret.js';
import { SecretsRepository } from './secrets.repository.js';

/** Values in one commit: other writers wait for at most this many. */
const BATCH = 100;

/** How far a rotation is. */
export interface RotationProgress {
  readonly done: number;
  readonly total: number;
}

/** Encrypts values again with the current key, beside a running service. */
@Injectable()
export class SecretRotation {
  constructor(
    private readonly repository: SecretsRepository,
    private readonly encryption: Encryption,
    private readonly writer: Writer,
  ) {}

  /**
   * A value that a client changes meanwhile keeps that change: it is encrypted with the current key already.
   * @returns values encrypted again
   * @throws UnreadableSecretError when the key of one is missing; SecretsKeyMissingError
   */
  async rotate(report: (progress: RotationProgress) => void): Promise<number> {
    const keyId = this.encryption.currentKeyId;
    const total = await this.repository.countSealedByOthers(keyId);
    for (let done = 0, after = ''; ;) {
      const batch = await this.repository.sealedByOthers(keyId, after, BATCH);
      const last = batch.at(-1);
      if (last === undefined) return done;
      const writes = batch.map(({ id, sealed }) => {
        const context = sealContext(id);
        return this.repository.reseal(
          id,
          sealed,
          this.encryption.seal(this.encryption.open(sealed, context), context),
        );
      });
      await this.writer.commit({ writes });
      done += batch.length;
      after = last.id;
      report({ done, total: Math.max(total, done) });
    }
  }
}
