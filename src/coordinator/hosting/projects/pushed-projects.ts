import type { Project, User } from '../../access/caller.js'
import { ApiError } from '../../http/errors.js'
import { GitRefusedError } from '../repositories/http/git-refused-error.js'
import { createProject, type CreateProjectDeps } from './create/create-project.js'
import { findNamespaceBy } from './store.js'

/** Projects that were made and not pushed to yet; nobody is told of more. */
const MAX_UNTOLD = 1000

/** Projects that come to be because somebody pushes to where there is none (API, B). */
export class PushedProjects {
  /** By number; their owners have not been told yet. */
  private readonly untold = new Map<number, string>()

  constructor(private readonly deps: CreateProjectDeps) {}

  /**
   * Makes a private project at this path; undefined where there is no such namespace or the user may make none in it.
   * Throws `GitRefusedError` 422 with the reason for what cannot be a project.
   */
  async create(user: User, fullPath: string): Promise<Project | undefined> {
    const at = fullPath.lastIndexOf('/')
    const path = fullPath.slice(at + 1)
    // The repository of a wiki, of which there are none.
    if (path.endsWith('.wiki')) return undefined
    const namespace = await findNamespaceBy(this.deps.database, fullPath.slice(0, at))
    if (!namespace) return undefined
    const project = await this.attempt({ path, namespace_id: namespace.id }, user)
    if (project && this.untold.size < MAX_UNTOLD) this.untold.set(project.id, project.full_path)
    return project
  }

  /** Lines for whoever pushes to the project, the first time. */
  greeting(projectId: number): string[] {
    const fullPath = this.untold.get(projectId)
    if (fullPath === undefined) return []
    this.untold.delete(projectId)
    return [`The private project ${fullPath} was successfully created.`]
  }

  private async attempt(
    params: { path: string; namespace_id: number },
    user: User,
  ): Promise<Project | undefined> {
    try {
      return await createProject(this.deps, params, user)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (isHidden(error)) return undefined
      throw new GitRefusedError(422, `The project could not be created: ${textOf(error.body)}`)
    }
  }
}

/** Not theirs to make: it is then as if there were nothing there. */
function isHidden({ status, body }: ApiError): boolean {
  return status === 404 || (status === 403 && body.error === undefined)
}

/** All that an error body says, in one line. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([key, inner]) => (key === 'message' || key === 'error' ? textOf(inner) : `${key} ${textOf(inner)}`))
    .filter((text) => !/ $/.test(text))
    .join('; ')
}
