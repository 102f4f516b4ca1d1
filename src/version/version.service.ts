import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime, readBuildInfo } from '../platform/index.js';
import type { ServerVersion } from './version.dto.js';

/** API versions that the service supports, as the first segment of their paths. */
const API_VERSIONS = ['v1'];
const DEPRECATED_API_VERSIONS = ['v0'];

@Injectable()
export class VersionService {
  private readonly current: ServerVersion;

  constructor(@Inject(CLOCK) clock: Clock) {
    const build = readBuildInfo(import.meta.url, process.env);
    this.current = {
      name: build.name,
      version: build.version,
      commit: build.commit,
      built_at: build.builtAt,
      api_versions: API_VERSIONS,
      deprecated_api_versions: DEPRECATED_API_VERSIONS,
      node_version: process.versions.node,
      started_at: isoTime(clock.now()),
    };
  }

  read(): ServerVersion {
    return this.current;
  }
}
