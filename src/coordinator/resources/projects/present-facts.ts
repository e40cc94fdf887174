import type { Database } from '../../database/connect.js'
import type { Project, User } from '../../http/operation.js'
import type { Namespace } from './store.js'

/** What the public record of a project needs beside its row. */
export interface ProjectFacts {
  namespace: Namespace
  /** Of a personal project. */
  owner: User | undefined
  /** The viewer's own membership, 0 without one. */
  membership: number
}

/** The facts of a page of projects, in three queries however long the page is. */
export async function loadFacts(
  database: Database,
  projects: Project[],
  viewer: User | undefined,
): Promise<(project: Project) => ProjectFacts> {
  if (projects.length === 0) return noFacts
  const namespaces = await namespacesOf(database, projects)
  const owners = await ownersOf(database, [...namespaces.values()])
  const memberships = viewer ? await membershipsOf(database, projects, viewer) : new Map<number, number>()
  return (project) => {
    const namespace = namespaces.get(project.namespace_id)
    if (!namespace) return noFacts(project)
    const isPersonal = namespace.kind === 'user' && namespace.owner_id !== null
    return {
      namespace,
      owner: isPersonal ? owners.get(namespace.owner_id ?? 0) : undefined,
      membership: memberships.get(project.id) ?? 0,
    }
  }
}

function noFacts(project: Project): never {
  throw new TypeError(`Project ${project.id} has no namespace`)
}

async function namespacesOf(database: Database, projects: Project[]): Promise<Map<number, Namespace>> {
  const ids = [...new Set(projects.map((project) => project.namespace_id))]
  const rows = await database.selectFrom('namespace').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function ownersOf(database: Database, namespaces: Namespace[]): Promise<Map<number, User>> {
  const ids = namespaces.map(({ owner_id }) => owner_id).filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom('user').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function membershipsOf(
  database: Database,
  projects: Project[],
  viewer: User,
): Promise<Map<number, number>> {
  const ids = projects.map(({ id }) => id)
  const rows = await database
    .selectFrom('member')
    .select(['project_id', 'access_level'])
    .where('user_id', '=', viewer.id)
    .where('project_id', 'in', ids)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', Date.now())]))
    .execute()
  return new Map(rows.map((row) => [row.project_id, row.access_level]))
}
