import { Entity, PrimaryColumn } from 'typeorm';
import { PositionColumn } from '../database/index.js';

/** One row, which counts the changes of access so far: keys, people, roles, address lists. */
@Entity('access_epoch')
export class AccessEpochEntity {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  @PositionColumn()
  epoch: number;
}
