export { ProjectDeletions } from './project-deletions.js';
export { ProjectEntity } from './project.entity.js';
export type { Project } from './project.js';
export { ProjectOutOfReachError } from './projects.errors.js';
export { ProjectsModule } from './projects.module.js';
export { ProjectsService } from './projects.service.js';
