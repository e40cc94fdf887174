import type { Project, User } from '../../../access/caller.js'
import type { SecretBox } from '../../../crypto/secret-box.js'
import type { Database } from '../../../database/connect.js'
import { type Page, page, type Paging } from '../../../http/page.js'
import { listProjects, type ProjectFilter } from './list-projects.js'
import { loadFacts, loadSimpleFacts } from './present-facts.js'
import { presentFullProject, presentSimpleProject } from './present.js'
import type { FullProject, SimpleProject } from './schema.js'

export interface RecordDeps {
  database: Database
  secrets: SecretBox
  externalUrl: string
}

/** Optional fields of a record. */
export interface WantedParts {
  statistics?: boolean | undefined
  license?: boolean | undefined
  with_custom_attributes?: boolean | undefined
}

/** Builds public records of projects for a viewer. */
export class ProjectRecords {
  constructor(readonly deps: RecordDeps) {}

  async full(project: Project, viewer: User, wanted: WantedParts = {}): Promise<FullProject> {
    const present = await this.fullPresenter([project], viewer, wanted)
    return present(project)
  }

  async simple(project: Project): Promise<SimpleProject> {
    const facts = await loadSimpleFacts(this.deps.database, [project])
    return presentSimpleProject(project, facts(project), this.deps.externalUrl)
  }

  async simples(projects: Project[]): Promise<SimpleProject[]> {
    const facts = await loadSimpleFacts(this.deps.database, projects)
    return projects.map((each) => presentSimpleProject(each, facts(each), this.deps.externalUrl))
  }

  /** A page of projects that match the filter: simple records for anonymous callers, and on request. */
  async list(filter: ProjectFilter, viewer: User | undefined, paging: Paging): Promise<Page> {
    const { database } = this.deps
    const { rows, total } = await listProjects(database, filter, viewer, paging)
    if (viewer && !filter.simple) {
      return page(rows.map(await this.fullPresenter(rows, viewer, filter)), total)
    }
    return page(await this.simples(rows), total)
  }

  private async fullPresenter(
    projects: Project[],
    viewer: User,
    { statistics, license, with_custom_attributes }: WantedParts,
  ): Promise<(project: Project) => FullProject> {
    const { database, secrets, externalUrl } = this.deps
    const attributes = with_custom_attributes && viewer.is_admin
    const facts = await loadFacts(database, projects, viewer, { statistics, attributes })
    return (project) =>
      presentFullProject({
        project,
        viewer,
        secrets,
        license,
        facts: facts(project),
        baseUrl: externalUrl,
      })
  }
}
