import { Entity, PrimaryColumn } from 'typeorm';
import { IdColumn, PositionColumn, WordColumn } from '../database/index.js';

/** An entry of the word index: a word, and the id of an execution that contains the word. */
@Entity('search_words', { withoutRowid: true })
export class SearchWordEntity {
  @IdColumn({ name: 'project_id', primary: true, primaryKeyConstraintName: 'search_words_pkey' })
  projectId: string;

  @WordColumn({ primary: true, primaryKeyConstraintName: 'search_words_pkey' })
  word: string;

  @IdColumn({ name: 'execution_id', primary: true, primaryKeyConstraintName: 'search_words_pkey' })
  executionId: string;
}

/** Watermark of the word index: executions up to this watermark are indexed. The table has a single row. */
@Entity('search_watermark')
export class SearchWatermarkEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'search_watermark_pkey' })
  id: number;

  /** Id of the last execution that was added to the word index. */
  @IdColumn({ name: 'up_to_id' })
  upToId: string;

  /** Revision of the word index, incremented by every update. An update that read an older revision is refused. */
  @PositionColumn()
  revision: number;
}

/**
 * A late row: an execution that was indexed before it ended. After its end, the words of its error are added to the
 * index.
 */
@Entity('search_late_rows')
export class SearchLateRowEntity {
  @IdColumn({
    name: 'execution_id',
    primary: true,
    primaryKeyConstraintName: 'search_late_rows_pkey',
  })
  executionId: string;
}
