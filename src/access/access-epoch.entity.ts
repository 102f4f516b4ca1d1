import { Entity, PrimaryColumn } from 'typeorm';
import { PositionColumn } from '../database/index.js';

/**
 * The access epoch: a counter in a single row. Every change of keys, people, roles or address lists increments the
 * counter.
 */
@Entity('access_epoch')
export class AccessEpochEntity {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  @PositionColumn()
  epoch: number;
}
