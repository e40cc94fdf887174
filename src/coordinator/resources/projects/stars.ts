import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { anyContainsText } from '../../database/text.js'
import type { Paging, User } from '../../http/operation.js'
import { countAround, type Rows } from '../../http/paging/list-rows.js'
import type { UserTable } from '../users/table.js'

/** False when the user had starred it already. */
export async function star(database: Database, projectId: number, user: User): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('project_star')
    .values({ project_id: projectId, user_id: user.id, created_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False when the user had not starred it. */
export async function unstar(database: Database, projectId: number, user: User): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('project_star')
    .where('project_id', '=', projectId)
    .where('user_id', '=', user.id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export type Starrer = Selectable<UserTable> & { starred_since: number }

/** Who has starred it, the latest first; `search` is looked for in names. */
export async function listStarrers(
  database: Database,
  projectId: number,
  search: string | undefined,
  paging: Paging,
): Promise<Rows<Starrer>> {
  let matching = database
    .selectFrom('project_star')
    .innerJoin('user', 'user.id', 'project_star.user_id')
    .where('project_star.project_id', '=', projectId)
  if (search) {
    matching = matching.where(({ ref }) => anyContainsText([ref('user.name'), ref('user.username')], search))
  }
  const rows = await matching
    .selectAll('user')
    .select('project_star.created_at as starred_since')
    .orderBy('project_star.created_at', 'desc')
    .orderBy('user.id', 'desc')
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  return { rows, total: await countAround(database, matching, paging, rows.length) }
}
