import { AccessModule } from '../access/index.js';
import { StorageModule } from '../storage/index.js';
import { UserTeams } from './user-teams.js';
import { RecentCallers } from './recent-callers.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/index.js';
import { StoredPeopleNames } from './people-names.adapter.js';
import { PasswordsService } from './passwords.service.js';
import { UserEntity } from './user.entity.js';
import { UserProfiles } from './user-profiles.service.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([UserEntity]), AuditModule, AccessModule, StorageModule],
  controllers: [UsersController],
  providers: [
    RecentCallers,
    UserTeams,
    PasswordsService,
    StoredPeopleNames,
    UserProfiles,
    UsersRepository,
    UsersService,
  ],
  exports: [RecentCallers, UserTeams, PasswordsService, UsersService],
})
export class UsersModule {}
