import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { countRows, MAXIMUM_COUNTED } from '../../../database/count-rows.js'

/**
 * Holds for projects that the user has starred. Some thousands of these are read and sorted within milliseconds; where they
 * are more, each project of the list is asked about by itself, for a page of them is soon found.
 */
export async function isStarredBy(database: Database, userId: number): Promise<RawBuilder<SqlBool>> {
  const stars = database.selectFrom('project_star').where('user_id', '=', userId)
  return (await countRows(database, stars)) > MAXIMUM_COUNTED
    ? sql<SqlBool>`exists (select 1 from project_star where user_id = ${userId} and project_id = project.id)`
    : sql<SqlBool>`project.id in (select project_id from project_star where user_id = ${userId})`
}
