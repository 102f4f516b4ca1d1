import { Entity, PrimaryColumn } from 'typeorm';
import { PositionColumn } from '../database/index.js';

/** The access epoch in one row: the number of changes so far to keys, people, roles and address lists. */
@Entity('access_epoch')
export class AccessEpochEntity {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  @PositionColumn()
  epoch: number;
}
