import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import { lockRows } from '../../database/lock-row.js'
import type { NamespaceTable, ProjectTable } from '../../database/tables/projects.js'
import type { Transaction } from '../../database/transaction.js'

// Requests for a path that something has left are led to where it lies now, until something else takes the path (API,
// A6). Whatever changes full paths leaves the old ones first, and takes the new ones when it is done.

/** Notes where the project lies, before it goes elsewhere. */
export async function leavePathOfProject(tx: Transaction, projectId: number): Promise<void> {
  await leave(tx, 'project', sql`id = ${projectId}`)
}

/** Notes where these namespaces and the projects in them lie. `ids` is a list of ids, or a query for them. */
export async function leavePathsOfNamespaces(tx: Transaction, ids: RawBuilder<unknown>): Promise<void> {
  await leave(tx, 'namespace', sql`id in ${ids}`)
  await leave(tx, 'project', sql`namespace_id in ${ids}`)
}

async function leave(
  tx: Transaction,
  kind: 'project' | 'namespace',
  condition: RawBuilder<unknown>,
): Promise<void> {
  // A row that refers to another one keeps that from being deleted. Whoever changes it, too, must have locked it before
  // that, or waits for a deletion that waits for them.
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

/** What had left this path is not found by it any more. */
export async function takePath(tx: Transaction, fullPath: string): Promise<void> {
  await sql`delete from old_path where lower(path) = lower(${fullPath})`.execute(tx)
}

/** The same for the paths of all projects in these namespaces, and of the namespaces below `ids` with them. */
export async function takePathsInside(tx: Transaction, ids: RawBuilder<unknown>): Promise<void> {
  await sql`
    delete from old_path where lower(path) in (
      select lower(full_path) from namespace where parent_id in ${ids}
      union all select lower(full_path) from project where namespace_id in ${ids})`.execute(tx)
}

/** Tells where things lie that are no longer found by a path. */
export interface RedirectFinder {
  /** The project that lay at the longest of these full paths, and that path in lower case. */
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
