import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InstanceRepository } from '../../instances/index.js';
import type { ProcessFact } from './explanation-facts.js';

@Injectable()
export class ExplainRepository {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly instances: InstanceRepository,
  ) {}

  /** Returns all processes that use the database, each with the number of executions whose lease the process holds. */
  async processes(): Promise<readonly ProcessFact[]> {
    const instances = await this.instances.list();
    const rows = await this.dataSource.query<readonly { id: string; n: number | string }[]>(
      'SELECT lease_owner AS id, count(*) AS n FROM executions WHERE lease_owner IS NOT NULL GROUP BY lease_owner',
    );
    const held = new Map(rows.map(({ id, n }) => [id, Number(n)]));
    return instances.map((instance) => ({ ...instance, held: held.get(instance.id) ?? 0 }));
  }
}
