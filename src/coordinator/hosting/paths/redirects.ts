import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import { lockRows } from '../../database/lock-row.js'
import type { NamespaceTable, ProjectTable } from '../../database/tables/projects.js'
import type { Transaction } from '../../database/transaction.js'

// Requests for a former path are redirected to the current one, until another project or namespace takes the
// former path (API, A6). Code that changes full paths first calls the `add…` functions for the old paths,
// and then the `delete…` functions for the new ones.

/** Stores a redirect from the current path of the project. Call it before the path changes. */
export async function addRedirectOfProject(tx: Transaction, projectId: number): Promise<void> {
  await addRedirects(tx, 'project', sql`id = ${projectId}`)
}

/**
 * Stores redirects from the current paths of these namespaces and of the projects in them. `ids` is a list of
 * IDs, or a query for them.
 */
export async function addRedirectsOfNamespaces(tx: Transaction, ids: RawBuilder<unknown>): Promise<void> {
  await addRedirects(tx, 'namespace', sql`id in ${ids}`)
  await addRedirects(tx, 'project', sql`namespace_id in ${ids}`)
}

async function addRedirects(
  tx: Transaction,
  kind: 'project' | 'namespace',
  condition: RawBuilder<unknown>,
): Promise<void> {
  // A foreign key reference blocks the deletion of the referenced row. The rows must be locked first:
  // otherwise an update could wait for a deletion that waits for the update.
  await lockRows(tx, kind, condition)
  const now = sql`cast(${Date.now()} as bigint)`
  await sql`
    insert into old_path (path, ${sql.ref(`${kind}_id`)}, created_at)
    select full_path, id, ${now} from ${sql.table(kind)} where ${condition}
    on conflict (lower(path)) do update
      set project_id = excluded.project_id, namespace_id = excluded.namespace_id, created_at = excluded.created_at`.execute(
    tx,
  )
}

/** Deletes the redirect from this path, because the path is now in use. */
export async function deleteRedirect(tx: Transaction, fullPath: string): Promise<void> {
  await sql`delete from old_path where lower(path) = lower(${fullPath})`.execute(tx)
}

/**
 * Deletes the redirects from the paths of all projects in these namespaces and of their direct child
 * namespaces.
 */
export async function deleteRedirectsInside(tx: Transaction, ids: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from old_path where lower(path) in (
      select lower(full_path) from namespace where parent_id in ${ids}
      union all select lower(full_path) from project where namespace_id in ${ids})`.execute(tx)
}

/** Finds projects and namespaces by their former paths. */
export interface RedirectFinder {
  /** The project that had the longest of these full paths, with that path in lower case. */
  project: (...fullPaths: string[]) => Promise<{ project: ProjectRow; from: string } | undefined>
  namespace: (fullPath: string) => Promise<Selectable<NamespaceTable> | undefined>
}

type ProjectRow = Selectable<ProjectTable>

export function createRedirectFinder(database: Database): RedirectFinder {
  return {
    project: async (...fullPaths) => {
      const row = await database
        .selectFrom('project')
        .innerJoin('old_path', 'old_path.project_id', 'project.id')
        .selectAll('project')
        .select(sql<string>`lower(old_path.path)`.as('from'))
        .where(isOneOf(fullPaths))
        .orderBy(sql`length(old_path.path)`, 'desc')
        .executeTakeFirst()
      if (!row) return undefined
      const { from, ...project } = row
      return { from, project }
    },
    namespace: (fullPath) =>
      database
        .selectFrom('namespace')
        .innerJoin('old_path', 'old_path.namespace_id', 'namespace.id')
        .selectAll('namespace')
        .where(isOneOf([fullPath]))
        .executeTakeFirst(),
  }
}

function isOneOf(fullPaths: string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(old_path.path) in (${sql.join(fullPaths.map((path) => sql`lower(${path})`))})`
}
