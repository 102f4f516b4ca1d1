import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StorageModule } from '../storage/index.js';
import { ExecutionFinder } from './execution-finder.js';
import { SearchLateRowEntity, SearchWatermarkEntity, SearchWordEntity } from './search.entity.js';
import { WordIndexKeeper } from './word-index-keeper.js';
import { WordIndexRepository } from './word-index.repository.js';
import { WordLookupRepository } from './word-lookup.repository.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([SearchWordEntity, SearchWatermarkEntity, SearchLateRowEntity]),
    StorageModule,
  ],
  providers: [ExecutionFinder, WordIndexKeeper, WordIndexRepository, WordLookupRepository],
  exports: [ExecutionFinder],
})
export class ExecutionSearchModule {}
