import { Entity, PrimaryColumn } from 'typeorm';
import { PositionColumn } from '../database/index.js';

/** One row: how often anything changed that decides who may do what. */
@Entity('access_epoch')
export class AccessEpochEntity {
  @PrimaryColumn({ type: 'integer' })
  id: number;

  @PositionColumn()
  epoch: number;
}
