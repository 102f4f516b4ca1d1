import { Injectable } from '@nestjs/common';
import { Encryption, type SealedColumnDescription } from '../encryption/index.js';
import { Writer } from '../storage/index.js';
import { SealedValuesRepository } from './sealed-values.repository.js';

/** Number of values that one commit re-encrypts. Other writers hardly wait for commits of this size. */
const BATCH = 100;

export interface RotationProgress {
  readonly done: number;
  readonly total: number;
}

/** Re-encrypts stored values with the current key while the service runs. */
@Injectable()
export class SecretRotation {
  constructor(
    private readonly repository: SealedValuesRepository,
    private readonly encryption: Encryption,
    private readonly writer: Writer,
  ) {}

  /**
   * Re-encrypts all values in the given columns that are encrypted with an earlier key.
   *
   * @returns the number of re-encrypted values
   * @throws UnreadableSecretError when the key ring lacks the key of a value; SecretsKeyMissingError
   */
  async rotate(
    columns: readonly SealedColumnDescription[],
    report: (progress: RotationProgress) => void,
  ): Promise<number> {
    const keyId = this.encryption.currentKeyId;
    const counts = await Promise.all(
      columns.map((column) => this.repository.countSealedByOthers(column, keyId)),
    );
    const total = counts.reduce((sum, count) => sum + count, 0);
    let done = 0;
    for (const column of columns)
      await this.rotateColumn(column, keyId, (count) => {
        done += count;
        report({ done, total: Math.max(total, done) });
      });
    return done;
  }

  private async rotateColumn(
    column: SealedColumnDescription,
    keyId: string,
    rotated: (count: number) => void,
  ): Promise<void> {
    for (let after: string | null = null; ;) {
      const batch = await this.repository.sealedByOthers(column, keyId, after, BATCH);
      const last = batch.at(-1);
      if (last === undefined) return;
      const writes = batch.map((value) => {
        const context = column.contextOf(value.id);
        const plain = this.encryption.open(value.sealed, context);
        return this.repository.reseal(column, value, this.encryption.seal(plain, context));
      });
      await this.writer.commit({ writes });
      rotated(batch.length);
      after = last.id;
    }
  }
}
