import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StorageModule } from '../storage/index.js';
import { ExecutionAdmissionEntity } from './admission.entity.js';
import { AdmissionRepository } from './admission.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([ExecutionAdmissionEntity]), StorageModule],
  providers: [AdmissionRepository],
  exports: [AdmissionRepository],
})
export class AdmissionModule {}
