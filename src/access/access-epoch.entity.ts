import { Entity, PrimaryColumn } from 'typeorm';
import { PositionColumn } from '../database/index.js';

/** One row: the number of changes to access so far. */
@Entity('access_epoch')
export class AccessEpochEntity {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  @PositionColumn()
  epoch: number;
}
