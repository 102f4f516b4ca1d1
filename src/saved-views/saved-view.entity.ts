import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { ViewPage, ViewSettings, Visibility } from './saved-view.js';

@Entity('saved_views')
@Index('saved_views_team', ['teamId', 'id'])
export class SavedViewEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'team_id' })
  teamId: string;

  @IdColumn({ name: 'user_id' })
  userId: string;

  @Column({ type: 'varchar' })
  page: ViewPage;

  @Column({ type: 'varchar' })
  name: string;

  @Column({ type: 'varchar' })
  visibility: Visibility;

  @JsonColumn()
  settings: ViewSettings;

  @Column({ type: 'integer' })
  revision: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;
}
