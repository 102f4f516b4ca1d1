import { Entity, PrimaryColumn } from 'typeorm';
import { IdColumn, PositionColumn, WordColumn } from '../database/index.js';

/** A word and an execution that contains the word. */
@Entity('search_words', { withoutRowid: true })
export class SearchWordEntity {
  @IdColumn({ name: 'project_id', primary: true, primaryKeyConstraintName: 'search_words_pkey' })
  projectId: string;

  @WordColumn({ primary: true, primaryKeyConstraintName: 'search_words_pkey' })
  word: string;

  @IdColumn({ name: 'execution_id', primary: true, primaryKeyConstraintName: 'search_words_pkey' })
  executionId: string;
}

/** A single row: the last indexed execution. */
@Entity('search_watermark')
export class SearchWatermarkEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'search_watermark_pkey' })
  id: number;

  /** Id of the last indexed execution. */
  @IdColumn({ name: 'up_to_id' })
  upToId: string;

  /** Incremented by every change. A change is refused if its revision is outdated. */
  @PositionColumn()
  revision: number;
}

/** An indexed execution that had not ended. Its error is indexed at its end. */
@Entity('search_late_rows')
export class SearchLateRowEntity {
  @IdColumn({
    name: 'execution_id',
    primary: true,
    primaryKeyConstraintName: 'search_late_rows_pkey',
  })
  executionId: string;
}
