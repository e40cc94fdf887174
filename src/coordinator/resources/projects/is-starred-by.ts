import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import { hasManyRows } from '../../database/count-rows.js'

/** Holds for projects that the user has starred: each is asked about by itself where these are many. */
export async function isStarredBy(database: Database, userId: number): Promise<RawBuilder<SqlBool>> {
  const stars = database.selectFrom('project_star').where('user_id', '=', userId)
  return (await hasManyRows(database, stars))
    ? sql<SqlBool>`exists (select 1 from project_star where user_id = ${userId} and project_id = project.id)`
    : sql<SqlBool>`project.id in (select project_id from project_star where user_id = ${userId})`
}
