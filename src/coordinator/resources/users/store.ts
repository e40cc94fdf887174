import type { Database } from '../../database/connect.js'
import { containsText, sameText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'
import type { Paging, User } from '../../http/operation.js'
import type { ListUsers } from './schema.js'

export interface NewUser {
  username: string
  name: string
  email: string
  is_admin: boolean
}

export function findUser(database: Database, id: number): Promise<User | undefined> {
  return database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
}

/** A user and the personal namespace of the same name. */
export async function insertUser(tx: Transaction, values: NewUser): Promise<User> {
  const now = Date.now()
  const user = await tx
    .insertInto('user')
    .values({ ...values, state: 'active', created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('namespace')
    .values({
      kind: 'user',
      name: values.name,
      path: values.username,
      full_path: values.username,
      owner_id: user.id,
      visibility: 'public',
      created_at: now,
    })
    .execute()
  return user
}

export async function isEmailTaken(database: Database, email: string): Promise<boolean> {
  const row = await database
    .selectFrom('user')
    .select('id')
    .where(({ ref }) => sameText(ref('email'), email))
    .executeTakeFirst()
  return row !== undefined
}

/** Groups and users share the top of the path. */
export async function isPathTaken(database: Database, path: string): Promise<boolean> {
  const row = await database
    .selectFrom('namespace')
    .select('id')
    .where(({ ref }) => sameText(ref('full_path'), path))
    .executeTakeFirst()
  return row !== undefined
}

export async function listUsers(
  database: Database,
  filter: ListUsers,
  { perPage, offset }: Paging,
): Promise<{ rows: User[]; total: number }> {
  const matching = usersMatching(database, filter)
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const column = filter.order_by === 'updated_at' ? 'created_at' : (filter.order_by ?? 'id')
  const rows = await matching
    .selectAll()
    .orderBy(column, filter.sort ?? 'desc')
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset(offset)
    .execute()
  return { rows, total }
}

function usersMatching(database: Database, filter: ListUsers) {
  let query = database.selectFrom('user')
  const { username, search } = filter
  if (username !== undefined) query = query.where(({ ref }) => sameText(ref('username'), username))
  if (search) {
    query = query.where(({ or, ref }) =>
      or([
        containsText(ref('name'), search),
        containsText(ref('username'), search),
        sameText(ref('email'), search),
      ]),
    )
  }
  if (filter.active) query = query.where('state', '=', 'active')
  if (filter.blocked) query = query.where('state', '=', 'blocked')
  if (filter.admins) query = query.where('is_admin', '=', true)
  if (filter.created_after) query = query.where('created_at', '>', Date.parse(filter.created_after))
  if (filter.created_before) query = query.where('created_at', '<', Date.parse(filter.created_before))
  return query
}
