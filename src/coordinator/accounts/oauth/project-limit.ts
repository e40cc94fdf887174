import type { Project, User } from '../../access/caller.js'
import { maySeeProject } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { sameText } from '../../database/text.js'
import { MCP_SCOPE, SCOPES_WITHIN_PROJECTS } from '../../http/authentication/scopes.js'
import type { Grant } from '../oauth-grant-store.js'

/** Maximum number of projects of a limit: they are read with each request. */
const MAX_PROJECTS = 100
/** Maximum length of the paths that a message repeats, in characters. */
const MAX_NAMED = 500

/** What a user allows: all projects, or some. */
export interface ProjectLimit {
  /** Null if the grant is not limited. */
  projects: Pick<Project, 'id' | 'full_path'>[] | null
  scopes: string[]
}

export type ReadLimit = { limit: ProjectLimit; refusal?: undefined } | { limit?: undefined; refusal: string }

/**
 * Reads the projects to which the user limits a request for the tools, a path in each line; none = all. A path that is
 * unknown is refused like one that is hidden from the user.
 */
export async function readProjectLimit(
  database: Database,
  user: User,
  { scopes, typed }: { scopes: string[]; typed: string | undefined },
): Promise<ReadLimit> {
  const paths = scopes.includes(MCP_SCOPE) ? pathsIn(typed ?? '') : []
  if (paths.length === 0) return { limit: { projects: null, scopes } }
  if (paths.length > MAX_PROJECTS) return { refusal: `Name at most ${MAX_PROJECTS} projects.` }
  const projects = await findVisible(database, user, paths)
  const known = new Set(projects.map(({ full_path }) => full_path.toLowerCase()))
  const unknown = paths.filter((path) => !known.has(path.toLowerCase()))
  if (unknown.length > 0) {
    return { refusal: `You see no project with this path: ${unknown.join(', ').slice(0, MAX_NAMED)}` }
  }
  return { limit: { projects, scopes: scopes.filter((scope) => SCOPES_WITHIN_PROJECTS.includes(scope)) } }
}

/** The limit of an earlier grant with these scopes, for another one that the user is not asked about. */
export async function limitAsBefore(
  database: Database,
  { project_ids: ids }: Pick<Grant, 'project_ids'>,
  scopes: string[],
): Promise<ProjectLimit> {
  if (ids === null) return { projects: null, scopes }
  const found = database.selectFrom('project').select(['id', 'full_path']).where('id', 'in', ids)
  return { projects: ids.length === 0 ? [] : await found.execute(), scopes }
}

function pathsIn(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim().replace(/^\/|\/$/g, ''))
  return lines.filter((line) => line !== '')
}

function findVisible(
  database: Database,
  user: User,
  paths: readonly string[],
): Promise<Pick<Project, 'id' | 'full_path'>[]> {
  return database
    .selectFrom('project')
    .select(['id', 'full_path'])
    .where(maySeeProject(user))
    .where(({ or, ref }) => or(paths.map((path) => sameText(ref('full_path'), path))))
    .orderBy('id')
    .execute()
}

/** The text of the column. */
export function storedLimit({ projects }: Pick<ProjectLimit, 'projects'>): string | null {
  return projects && JSON.stringify(projects.map(({ id }) => id))
}
