import type { Project } from '../../access/caller.js'
import type { Repositories } from '../repositories/repositories.js'
import { listFilesIn, readFileIn, type TemplateFolder } from './repository-templates.js'
import type { TemplateKind, TemplateSource } from './templates.js'

const FOLDERS: Record<TemplateKind, TemplateFolder> = {
  gitignores: { folder: 'gitignore', ending: '.gitignore' },
  gitlab_ci_ymls: { folder: 'gitlab-ci', ending: '.yml' },
  dockerfiles: { folder: 'Dockerfile', ending: '.dockerfile' },
  licenses: { folder: 'LICENSE', ending: '.txt' },
}

interface ProjectTemplatesDeps {
  repositories: Pick<Repositories, 'resolveCommit' | 'reading'>
  /** The project that `file_template_project_id` names; undefined if it is not set, or the project is gone. */
  project: () => Promise<Project | undefined>
}

/**
 * Templates on the default branch of a project that administrators have chosen for the instance, or owners for a group
 * (API, G8). Its visibility does not limit who reads them.
 */
export class ProjectTemplates implements TemplateSource {
  constructor(private readonly deps: ProjectTemplatesDeps) {}

  async keys(kind: TemplateKind, signal: AbortSignal): Promise<string[]> {
    const source = await this.source(signal)
    return source ? listFilesIn(...source, FOLDERS[kind]) : []
  }

  async read(kind: TemplateKind, key: string, signal: AbortSignal): Promise<string | undefined> {
    const source = await this.source(signal)
    return source && readFileIn(...source, FOLDERS[kind], key)
  }

  private async source(signal: AbortSignal) {
    const { repositories } = this.deps
    const project = await this.deps.project()
    return project && ([repositories, project, repositories.reading(project.id, signal)] as const)
  }
}
