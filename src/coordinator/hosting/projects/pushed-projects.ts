import type { Project, User } from '../../access/caller.js'
import { ApiError } from '../../http/errors.js'
import { gitError } from '../repositories/http/git-refused-error.js'
import { createProject, type CreateProjectDeps } from './create/create-project.js'
import { findNamespaceBy } from './store.js'

/** Maximum number of new projects whose greeting is kept until the first push. */
const MAX_UNPUBLISHED = 1000

/** Creates projects when a user pushes to a path without one (API, B). */
export class PushedProjects {
  /** Full paths by project ID, for projects whose pusher has not seen the greeting yet. */
  private readonly unpublished = new Map<number, string>()

  constructor(private readonly deps: CreateProjectDeps) {}

  /**
   * Creates a private project at this path. Undefined if the namespace does not exist or the user may not
   * create projects in it. Throws `GitRefusedError` 422 with the reason if the path is invalid for a project.
   */
  async create(user: User, fullPath: string): Promise<Project | undefined> {
    const at = fullPath.lastIndexOf('/')
    const path = fullPath.slice(at + 1)
    // Path of the wiki of a project that does not exist.
    if (path.endsWith('.wiki')) return undefined
    const namespace = await findNamespaceBy(this.deps.database, fullPath.slice(0, at))
    if (!namespace) return undefined
    const project = await this.attempt({ path, namespace_id: namespace.id }, user)
    if (project && this.unpublished.size < MAX_UNPUBLISHED)
      this.unpublished.set(project.id, project.full_path)
    return project
  }

  /** Lines to show on the first push to a new project. */
  greeting(projectId: number): string[] {
    const fullPath = this.unpublished.get(projectId)
    if (fullPath === undefined) return []
    this.unpublished.delete(projectId)
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
      throw gitError('git_project_not_created', { reason: formatBody(error.body) })
    }
  }
}

/** Whether the namespace is hidden from the user; the project is then reported as not found. */
function isHidden({ status, body }: ApiError): boolean {
  return status === 404 || (status === 403 && body.error === undefined)
}

/** All texts of an error body, in one line. */
function formatBody(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(formatBody).join(', ')
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([key, inner]) =>
      key === 'message' || key === 'error' ? formatBody(inner) : `${key} ${formatBody(inner)}`,
    )
    .filter((text) => !/ $/.test(text))
    .join('; ')
}
