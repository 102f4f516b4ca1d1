import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, SelectQueryBuilder } from 'typeorm';
import { type IdPlace, pageById, type PageRows } from '../pages/index.js';
import { type Statement, statementOf } from '../storage/index.js';
import { SavedViewEntity } from './saved-view.entity.js';
import type { SavedView, ViewPage } from './saved-view.js';
import { SavedViewChangedError } from './saved-views.errors.js';

/** Selects the saved views that a person sees in a team: the person's own views, and the views shared with the team. */
export interface SeenViews {
  readonly teamId: string;
  readonly userId: string;
  readonly page?: ViewPage;
}

@Injectable()
export class SavedViewsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async find(id: string): Promise<SavedView | undefined> {
    return (await this.views().where('v.id = :id', { id }).getOne()) ?? undefined;
  }

  list(seen: SeenViews, place: IdPlace): Promise<PageRows<SavedView>> {
    return pageById(this.seen(seen), place);
  }

  count(seen: SeenViews): Promise<number> {
    return this.seen(seen).getCount();
  }

  insertion(view: SavedView): Statement {
    const row: object = { ...view };
    return statementOf(this.dataSource.createQueryBuilder().insert().into(SavedViewEntity).values(row));
  }

  change({ id, revision }: SavedView, changes: Partial<SavedView>): Statement {
    const set: object = { ...changes, revision: revision + 1 };
    return statementOf(
      this.dataSource
        .createQueryBuilder()
        .update(SavedViewEntity)
        .set(set)
        .where('id = :id AND revision = :revision', { id, revision }),
      { orFail: () => new SavedViewChangedError() },
    );
  }

  deletion({ id, revision }: SavedView): Statement {
    return statementOf(
      this.dataSource
        .createQueryBuilder()
        .delete()
        .from(SavedViewEntity)
        .where('id = :id AND revision = :revision', { id, revision }),
      { orFail: () => new SavedViewChangedError() },
    );
  }

  private seen({ teamId, userId, page }: SeenViews): SelectQueryBuilder<SavedViewEntity> {
    const query = this.views()
      .where('v.teamId = :teamId', { teamId })
      .andWhere(`(v.userId = :userId OR v.visibility = 'team')`, { userId });
    if (page !== undefined) query.andWhere('v.page = :page', { page });
    return query;
  }

  private views(): SelectQueryBuilder<SavedViewEntity> {
    return this.dataSource.createQueryBuilder(SavedViewEntity, 'v');
  }
}
