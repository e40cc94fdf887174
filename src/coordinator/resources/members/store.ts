import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { containsText } from '../../database/text.js'
import type { Paging, User } from '../../http/operation.js'
import type { ListMembers } from './schema.js'
import type { MemberTable } from './table.js'

export interface MemberRow extends User {
  access_level: number
  expires_at: number | null
  joined_at: number
}

function members(database: Database, projectId: number) {
  return database
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .where('member.project_id', '=', projectId)
    .where(({ or, eb }) =>
      or([eb('member.expires_at', 'is', null), eb('member.expires_at', '>', Date.now())]),
    )
}

const COLUMNS = ['member.access_level', 'member.expires_at', 'member.created_at as joined_at'] as const

export async function listMembers(
  database: Database,
  projectId: number,
  { query: search, user_ids }: ListMembers,
  { perPage, offset }: Paging,
): Promise<{ rows: MemberRow[]; total: number }> {
  let matching = members(database, projectId)
  if (user_ids) matching = matching.where('user.id', 'in', user_ids)
  if (search) {
    matching = matching.where(({ or, ref }) =>
      or([containsText(ref('user.name'), search), containsText(ref('user.username'), search)]),
    )
  }
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll('user')
    .select(COLUMNS)
    .orderBy('user.id')
    .limit(perPage)
    .offset(offset)
    .execute()
  return { rows, total }
}

export function findMember(
  database: Database,
  projectId: number,
  userId: number,
): Promise<MemberRow | undefined> {
  return members(database, projectId)
    .selectAll('user')
    .select(COLUMNS)
    .where('user.id', '=', userId)
    .executeTakeFirst()
}

export type NewMember = Pick<
  Selectable<MemberTable>,
  'project_id' | 'user_id' | 'access_level' | 'expires_at'
>

/** Replaces a membership that has expired; false when there is one that has not. */
export async function insertMember(database: Database, values: NewMember): Promise<boolean> {
  const now = Date.now()
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('member')
    .values({ ...values, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'user_id'])
        .doUpdateSet({ access_level: values.access_level, expires_at: values.expires_at, created_at: now })
        .where('member.expires_at', '<=', now),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateMember(database: Database, values: NewMember): Promise<void> {
  const { project_id, user_id, access_level, expires_at } = values
  await database
    .updateTable('member')
    .set({ access_level, expires_at })
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .execute()
}

export async function deleteMember(database: Database, projectId: number, userId: number): Promise<void> {
  await database
    .deleteFrom('member')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}

/** Who has the namespace of a project owns the project, with or without a membership. */
export async function findNamespaceOwner(database: Database, namespaceId: number): Promise<User | undefined> {
  return database
    .selectFrom('user')
    .innerJoin('namespace', 'namespace.owner_id', 'user.id')
    .selectAll('user')
    .where('namespace.id', '=', namespaceId)
    .executeTakeFirst()
}
