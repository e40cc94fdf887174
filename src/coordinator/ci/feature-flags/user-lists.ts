import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { lockPresentProject } from '../../database/lock-row.js'
import { inTransaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { checkRoom } from '../../http/check-room.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import type { NewUserList } from './schema.js'
import {
  findUserList,
  highestListIid,
  insertUserList,
  updateUserList,
  type UserListRow,
  userListsOf,
} from './store.js'

/** Per project. */
const MAX_LISTS = 200

/** Throws 404. */
export async function requireUserList(
  database: Database,
  { id }: Project,
  iid: number,
): Promise<UserListRow> {
  const row = await findUserList(database, id, { iid })
  if (!row) throw notFound('User List')
  return row
}

/** Throws 400 for a name that is taken and for too many lists, and 404 if the project was deleted. */
export async function createUserList(
  database: Database,
  { id }: Pick<Project, 'id'>,
  { name, user_xids }: NewUserList,
): Promise<UserListRow> {
  await checkRoom(userListsOf(database, id), { most: MAX_LISTS, what: 'user lists' })
  return refusingTaken(() =>
    inTransaction(database, async (tx) => {
      if (!(await lockPresentProject(tx, id))) throw notFound('Project')
      const iid = (await highestListIid(tx, id)) + 1
      const now = Date.now()
      const times = { created_at: now, updated_at: now }
      return insertUserList(tx, { name, user_xids, iid, project_id: id, ...times })
    }),
  )
}

/** Throws 400 for a name that is taken, and 404. */
export async function editUserList(
  database: Database,
  project: Project,
  iid: number,
  changes: Partial<NewUserList>,
): Promise<UserListRow> {
  const { id } = await requireUserList(database, project, iid)
  return refusingTaken(() => updateUserList(database, id, { ...changes, updated_at: Date.now() }))
}

async function refusingTaken(change: () => Promise<UserListRow>): Promise<UserListRow> {
  try {
    return await change()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidRecord({ name: ['has already been taken'] })
    throw error
  }
}
