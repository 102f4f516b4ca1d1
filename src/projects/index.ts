export { ProjectDeletions } from './project-deletions.js';
export { type Project } from './project.js';
export { ProjectEntity } from './project.entity.js';
export { ProjectOutOfReachError } from './projects.errors.js';
export { ProjectsModule } from './projects.module.js';
export { type PreparedProject, ProjectsService } from './projects.service.js';
