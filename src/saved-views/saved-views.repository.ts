import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { type IdPlace, pageById, type PageRows } from '../pages/index.js';
import { deleteStatement, insertStatement, type Statement, updateStatement } from '../storage/index.js';
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
  constructor(@InjectRepository(SavedViewEntity) private readonly views: Repository<SavedViewEntity>) {}

  async find(id: string): Promise<SavedView | undefined> {
    return (await this.views.createQueryBuilder('v').where('v.id = :id', { id }).getOne()) ?? undefined;
  }

  list(seen: SeenViews, place: IdPlace): Promise<PageRows<SavedView>> {
    return pageById(this.seen(seen), place);
  }

  count(seen: SeenViews): Promise<number> {
    return this.seen(seen).getCount();
  }

  insertion(view: SavedView): Statement {
    return insertStatement(this.views, view);
  }

  change({ id, revision }: SavedView, changes: Partial<SavedView>): Statement {
    return updateStatement(
      this.views,
      { ...changes, revision: revision + 1 },
      { id, revision },
      { orFail: () => new SavedViewChangedError() },
    );
  }

  deletion({ id, revision }: SavedView): Statement {
    return deleteStatement(this.views, { id, revision }, { orFail: () => new SavedViewChangedError() });
  }

  private seen({ teamId, userId, page }: SeenViews): SelectQueryBuilder<SavedViewEntity> {
    const query = this.views
      .createQueryBuilder('v')
      .where('v.teamId = :teamId', { teamId })
      .andWhere(`(v.userId = :userId OR v.visibility = 'team')`, { userId });
    if (page !== undefined) query.andWhere('v.page = :page', { page });
    return query;
  }
}
