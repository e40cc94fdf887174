import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { Tables } from '../../database/tables/database-tables.js'
import type { Paging } from '../page.js'
import { pageOf } from './page-of.js'

/** Maximum number of queries that one statement combines. */
export const MAX_PARTS = 200

/** A table with a column `project_id`. */
type OfProject = 'pipeline' | 'job'

/**
 * The IDs of a page of the rows of these projects, newest first. The page is in the rows of as many projects as it has
 * rows: those with the newest matching rows. Only the newest rows of each of these are read, so an index that begins with
 * the project should be in the order of IDs. The page ends within the first `MAX_PARTS` rows.
 */
export async function newestOfProjects<Table extends OfProject>(
  database: Database,
  table: Table,
  matching: SelectQueryBuilder<Tables, Table, object>,
  { projectIds, paging }: { projectIds: readonly number[]; paging: Paging },
): Promise<number[]> {
  if (projectIds.length === 0) return []
  const order = { table, column: 'id', direction: 'desc' } as const
  const last = paging.offset + paging.perPage
  const fromStart = { ...paging, offset: 0, perPage: last }
  const [id, projectId] = [sql.ref<number>(`${table}.id`), sql.ref<number>(`${table}.project_id`)]
  const ids = matching.select(id.as('id'))
  const newest = pageOf(
    ids.where(sql<SqlBool>`${projectId} = project.id`),
    { ...fromStart, perPage: 1 },
    order,
  )
  const projects = await database
    .selectFrom(
      database
        .selectFrom('project')
        .select('project.id')
        .select(sql<number | null>`(${newest})`.as('newest'))
        .where('project.id', 'in', projectIds)
        .as('projects'),
    )
    .select('projects.id')
    .where('projects.newest', 'is not', null)
    .orderBy('projects.newest', 'desc')
    .limit(last)
    .execute()
  if (projects.length === 0) return []
  const parts = projects.map((project) => {
    const ofProject = ids.where(sql<SqlBool>`${projectId} = ${project.id}`)
    return sql`select id from (${pageOf(ofProject, fromStart, order)}) as part`
  })
  const { rows } = await sql<{ id: number }>`
    select id from (${sql.join(parts, sql` union all `)}) as parts
    order by id desc limit ${paging.perPage} offset ${paging.offset}`.execute(database)
  return rows.map((row) => row.id)
}
