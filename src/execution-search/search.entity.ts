import { Entity, PrimaryColumn } from 'typeorm';
import { IdColumn, PositionColumn, WordColumn } from '../database/index.js';

/** An entry of the search index: a word and an execution that contains the word. */
@Entity('search_words', { withoutRowid: true })
export class SearchWordEntity {
  @IdColumn({ name: 'project_id', primary: true, primaryKeyConstraintName: 'search_words_pkey' })
  projectId: string;

  @WordColumn({ primary: true, primaryKeyConstraintName: 'search_words_pkey' })
  word: string;

  @IdColumn({ name: 'execution_id', primary: true, primaryKeyConstraintName: 'search_words_pkey' })
  executionId: string;
}

/** One row: the watermark of the index. */
@Entity('search_watermark')
export class SearchWatermarkEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'search_watermark_pkey' })
  id: number;

  /** Id of the last execution in the index. */
  @IdColumn({ name: 'up_to_id' })
  upToId: string;

  /** Incremented by every change. A change is refused if another change was committed since its revision was read. */
  @PositionColumn()
  revision: number;
}

/** A late row: an execution that had not ended when it was added to the index. Its error is added when it ends. */
@Entity('search_late_rows')
export class SearchLateRowEntity {
  @IdColumn({
    name: 'execution_id',
    primary: true,
    primaryKeyConstraintName: 'search_late_rows_pkey',
  })
  executionId: string;
}
