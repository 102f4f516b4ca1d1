import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type IdPlace, pageById, type PageRows } from '../../pages/index.js';
import { deleteStatement, insertStatement, type Statement, updateStatement } from '../../storage/index.js';
import { SignInEntity } from './sign-in.entity.js';

export interface SignInLimits {
  readonly now: string;
  /** Time in ISO 8601. Sign-ins whose last use is earlier have ended. */
  readonly idleSince: string;
}

@Injectable()
export class SignInsRepository {
  constructor(@InjectRepository(SignInEntity) private readonly signIns: Repository<SignInEntity>) {}

  findByHash(hash: string): Promise<SignInEntity | null> {
    return this.signIns.createQueryBuilder('row').where('row.hash = :hash', { hash }).getOne();
  }

  findById(id: string): Promise<SignInEntity | null> {
    return this.signIns.createQueryBuilder('row').where('row.id = :id', { id }).getOne();
  }

  async findOfUser(
    userId: string,
    { now, idleSince }: SignInLimits,
    place: IdPlace,
  ): Promise<PageRows<SignInEntity>> {
    const query = this.signIns
      .createQueryBuilder('row')
      .where('row.userId = :userId', { userId })
      .andWhere('row.expiresAt > :now', { now })
      .andWhere('row.lastSeenAt > :idleSince', { idleSince });
    return pageById(query, place);
  }

  insert(signIn: SignInEntity): Statement {
    return insertStatement(this.signIns, signIn);
  }

  markSeen(id: string, at: string): Statement {
    return updateStatement(this.signIns, { lastSeenAt: at }, { id });
  }

  /** Makes a commit fail if the sign-in has been deleted. */
  requireOpen(id: string, userId: string, orFail: () => Error): Statement {
    return updateStatement(this.signIns, { userId }, { id, userId }, { orFail });
  }

  setTeam(id: string, teamId: string, orFail: () => Error): Statement {
    return updateStatement(this.signIns, { teamId }, { id }, { orFail });
  }

  delete(id: string): Statement {
    return deleteStatement(this.signIns, { id });
  }

  deleteByHash(hash: string): Statement {
    return deleteStatement(this.signIns, { hash });
  }

  deleteOthers(userId: string, keptId: string): Statement {
    return deleteStatement(this.signIns, ['user_id = :userId AND id <> :keptId', { userId, keptId }]);
  }

  deleteEnded(userId: string, { now, idleSince }: SignInLimits): Statement {
    return deleteStatement(this.signIns, [
      'user_id = :userId AND (expires_at <= :now OR last_seen_at <= :idleSince)',
      { userId, now, idleSince },
    ]);
  }
}
