import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { anyContainsText } from '../../database/text.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import type { Paging, Project, User } from '../../http/operation.js'
import { countAround, type Rows } from '../../http/paging/list-rows.js'
import type { UserTable } from '../users/table.js'

/** The project with the star; undefined when the user had starred it already. */
export function star(database: Database, projectId: number, user: User): Promise<Project | undefined> {
  return inTransaction(database, async (tx) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('project_star')
      .values({ project_id: projectId, user_id: user.id, created_at: Date.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n ? addStars(tx, projectId, 1) : undefined
  })
}

/** The project without the star; undefined when the user had not starred it. */
export function unstar(database: Database, projectId: number, user: User): Promise<Project | undefined> {
  return inTransaction(database, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('project_star')
      .where('project_id', '=', projectId)
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    return numDeletedRows === 1n ? addStars(tx, projectId, -1) : undefined
  })
}

function addStars(tx: Transaction, projectId: number, by: number): Promise<Project | undefined> {
  return tx
    .updateTable('project')
    .set(({ eb }) => ({ star_count: eb('star_count', '+', by) }))
    .where('id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
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
