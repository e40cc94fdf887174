import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { countRows, MAX_COUNTED } from '../../../database/count-rows.js'

/**
 * Condition on projects that the user has starred. Up to some thousand stars are read and sorted within
 * milliseconds. With more, each project of the list is checked on its own, because a page fills soon.
 */
export async function isStarredBy(database: Database, userId: number): Promise<RawBuilder<SqlBool>> {
  const stars = database.selectFrom('project_star').where('user_id', '=', userId)
  return (await countRows(database, stars)) > MAX_COUNTED
    ? sql<SqlBool>`exists (select 1 from project_star where user_id = ${userId} and project_id = project.id)`
    : sql<SqlBool>`project.id in (select project_id from project_star where user_id = ${userId})`
}
