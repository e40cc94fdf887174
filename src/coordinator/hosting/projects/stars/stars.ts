import { type Selectable, sql } from 'kysely'

import type { Project, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { lockPresentProject } from '../../../database/lock-row.js'
import { addToStarCount } from '../../../database/stores/project-store.js'
import type { UserTable } from '../../../database/tables/users.js'
import { anyContainsText } from '../../../database/text.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { notFound } from '../../../http/errors.js'
import type { Paging } from '../../../http/page.js'
import { countAround, type Rows } from '../../../http/paging/list-rows.js'
import { usersById } from '../../../http/presenters/users-by-id.js'
import { deleteStar, insertStar } from './star-store.js'

/** Stars a project and returns it; undefined if the user had starred it before. */
export function star(database: Database, projectId: number, user: User): Promise<Project | undefined> {
  return inTransaction(database, async (tx) => {
    await lockStarred(tx, projectId)
    return (await insertStar(tx, projectId, user.id)) ? addToStarCount(tx, projectId, 1) : undefined
  })
}

/** Removes the star and returns the project; undefined if the user had not starred it. */
export function unstar(database: Database, projectId: number, user: User): Promise<Project | undefined> {
  return inTransaction(database, async (tx) => {
    await lockStarred(tx, projectId)
    return (await deleteStar(tx, projectId, user.id)) ? addToStarCount(tx, projectId, -1) : undefined
  })
}

/** Locks the project before its stars, in the order of its deletion. Throws 404 if it was deleted. */
async function lockStarred(tx: Transaction, projectId: number): Promise<void> {
  if (!(await lockPresentProject(tx, projectId))) throw notFound('Project')
}

export type Starrer = Selectable<UserTable> & { starred_since: number }

/** Users who have starred the project, latest first; `search` matches names. */
export async function listStarrers(
  database: Database,
  projectId: number,
  search: string | undefined,
  paging: Paging,
): Promise<Rows<Starrer>> {
  const stars = database.selectFrom('project_star').where('project_star.project_id', '=', projectId)
  const matching = stars.$if(Boolean(search), (query) =>
    query
      .innerJoin('user', 'user.id', 'project_star.user_id')
      .where(() => anyContainsText([sql.ref('user.name'), sql.ref('user.username')], search ?? '')),
  )
  // The index skips the rows before the page; only the users of the page are read.
  const page = await matching
    .select(['project_star.user_id', 'project_star.created_at'])
    .orderBy('project_star.created_at', 'desc')
    .orderBy('project_star.user_id', 'desc')
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  const users = await usersById(
    database,
    page.map(({ user_id }) => user_id),
  )
  const rows = page.flatMap(({ user_id, created_at }) => {
    const user = users.get(user_id)
    return user ? [{ ...user, starred_since: created_at }] : []
  })
  return { rows, total: await countAround(database, matching, paging, page.length) }
}
