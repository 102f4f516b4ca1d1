import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { SecretMask } from '../masking/index.js';
import type { Json } from '../expressions/index.js';
import { maskLogLines } from '../logging/index.js';

/**
 * Maximum number of secret values in one mask. When a mask is full, a new mask starts. The full mask stays in
 * use until the new mask is full.
 */
const CAPACITY = 5_000;

/** Collects the secret values that were read recently, and masks these values in log lines. */
@Injectable()
export class ResolvedValues implements OnModuleDestroy {
  private recent = new Set<string>();
  private mask = new SecretMask();
  private olderMask = new SecretMask();
  private readonly stop = maskLogLines((line) => this.masked(line));

  onModuleDestroy(): void {
    this.stop();
  }

  add(name: string, value: string): void {
    if (this.recent.has(value)) return;
    if (this.recent.size >= CAPACITY) {
      this.olderMask = this.mask;
      this.mask = new SecretMask();
      this.recent = new Set();
    }
    this.recent.add(value);
    this.mask.add(name, value);
  }

  /** Masks secret values in a log line. Each JSON member is masked separately, so that the line stays valid JSON. */
  private masked(line: string): string {
    const masks = [this.mask, this.olderMask].filter((mask) => !mask.isEmpty && mask.text(line) !== line);
    if (masks.length === 0) return line;
    const entry = JSON.parse(line) as Json;
    return `${JSON.stringify(masks.reduce((masked, mask) => mask.json(masked), entry))}\n`;
  }
}
