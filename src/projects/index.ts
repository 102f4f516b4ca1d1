export { MAX_PROJECT_NAME_LENGTH, type Project } from './project.js';
export { ProjectEntity } from './project.entity.js';
export { ProjectNotFoundError, ProjectOutOfReachError } from './projects.errors.js';
export { ProjectsModule } from './projects.module.js';
export { type PreparedProject, ProjectsService } from './projects.service.js';
