import { type ExpressionBuilder, sql, type SqlBool } from 'kysely'

import type { Owner, OwnerRole } from '../../../../code-owners/code-owners.js'
import { ACCESS_LEVELS } from '../../../access/access-levels.js'
import { isLive } from '../../../access/is-live.js'
import type { Database } from '../../../database/connect.js'
import type { Tables } from '../../../database/tables/database-tables.js'

/** User IDs of owners, whether or not they may approve. */
export type ResolveOwner = (owner: Owner) => readonly number[]

/** IDs of the groups among these full paths, and of the users among these names and addresses. */
interface Known {
  names: Map<string, number[]>
  emails: Map<string, number[]>
  roles: Map<OwnerRole, number[]>
}

/**
 * Reads who the owners in files of code owners are: users, direct members of groups, users with a confirmed address, direct
 * members of the project with a role.
 */
export async function resolveOwners(
  database: Database,
  projectId: number,
  owners: readonly Owner[],
): Promise<ResolveOwner> {
  const known: Known = {
    names: await namedBy(
      database,
      wordsOf(owners, (owner) => (owner.kind === 'name' ? owner.name : undefined)),
    ),
    emails: await addressedBy(
      database,
      wordsOf(owners, (owner) => (owner.kind === 'email' ? owner.email : undefined)),
    ),
    roles: await membersByRole(database, projectId, owners),
  }
  return (owner) => {
    if (owner.kind === 'role') return known.roles.get(owner.role) ?? []
    const found =
      owner.kind === 'name'
        ? known.names.get(owner.name.toLowerCase())
        : known.emails.get(owner.email.toLowerCase())
    return found ?? []
  }
}

function wordsOf(owners: readonly Owner[], wordOf: (owner: Owner) => string | undefined): string[] {
  const words = owners.map((owner) => wordOf(owner)?.toLowerCase()).filter((word) => word !== undefined)
  return [...new Set(words)]
}

/** Databases limit the number of values in a statement. */
const WORDS_PER_STATEMENT = 500

async function inParts<Row>(
  words: readonly string[],
  read: (some: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let start = 0; start < words.length; start += WORDS_PER_STATEMENT) {
    rows.push(...(await read(words.slice(start, start + WORDS_PER_STATEMENT))))
  }
  return rows
}

function byWord(rows: readonly { word: string; user_id: number }[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { word, user_id } of rows) found.set(word, [...(found.get(word) ?? []), user_id])
  return found
}

function namedBy(database: Database, names: string[]): Promise<Map<string, number[]>> {
  return inParts(names, async (some) => {
    const users = await database
      .selectFrom('user')
      .select(['id as user_id', ({ ref }) => sql<string>`lower(${ref('username')})`.as('word')])
      .where(({ ref }) => sql<SqlBool>`lower(${ref('username')}) in (${sql.join(some)})`)
      .execute()
    const members = await database
      .selectFrom('namespace')
      .innerJoin('member', 'member.group_id', 'namespace.id')
      .select(['member.user_id', ({ ref }) => sql<string>`lower(${ref('namespace.full_path')})`.as('word')])
      .where('namespace.kind', '=', 'group')
      .where(({ ref }) => sql<SqlBool>`lower(${ref('namespace.full_path')}) in (${sql.join(some)})`)
      .where(isLive('member', Date.now()))
      .execute()
    return [...users, ...members]
  }).then(byWord)
}

function addressedBy(database: Database, emails: string[]): Promise<Map<string, number[]>> {
  return inParts(emails, async (some) => {
    const main = await database
      .selectFrom('user')
      .innerJoin('user_profile', 'user_profile.user_id', 'user.id')
      .select(['user.id as user_id', ({ ref }) => sql<string>`lower(${ref('user.email')})`.as('word')])
      .where((expressions) => isAmong(expressions, 'user.email', some))
      .where('user_profile.confirmed_at', 'is not', null)
      .execute()
    const further = await database
      .selectFrom('user_email')
      .select(['user_id', ({ ref }) => sql<string>`lower(${ref('email')})`.as('word')])
      .where(({ ref }) => sql<SqlBool>`lower(${ref('email')}) in (${sql.join(some)})`)
      .where('confirmed_at', 'is not', null)
      .execute()
    return [...main, ...further]
  }).then(byWord)
}

function isAmong({ ref }: ExpressionBuilder<Tables, 'user'>, column: 'user.email', words: readonly string[]) {
  return sql<SqlBool>`lower(${ref(column)}) in (${sql.join(words)})`
}

const LEVELS: Record<OwnerRole, number> = {
  developer: ACCESS_LEVELS.developer,
  maintainer: ACCESS_LEVELS.maintainer,
  owner: ACCESS_LEVELS.owner,
}

async function membersByRole(
  database: Database,
  projectId: number,
  owners: readonly Owner[],
): Promise<Map<OwnerRole, number[]>> {
  const roles = new Set(owners.flatMap((owner) => (owner.kind === 'role' ? [owner.role] : [])))
  const found = new Map<OwnerRole, number[]>()
  for (const role of roles) {
    const members = await database
      .selectFrom('member')
      .select('user_id')
      .where('project_id', '=', projectId)
      .where('access_level', '=', LEVELS[role])
      .where(isLive('member', Date.now()))
      .execute()
    found.set(
      role,
      members.map(({ user_id }) => user_id),
    )
  }
  if (roles.has('owner')) found.get('owner')?.push(...(await ownerOfNamespace(database, projectId)))
  return found
}

/** The owner of a personal namespace is the owner of its projects, without being a member of them. */
async function ownerOfNamespace(database: Database, projectId: number): Promise<number[]> {
  const rows = await database
    .selectFrom('project')
    .innerJoin('namespace', 'namespace.id', 'project.namespace_id')
    .select('namespace.owner_id')
    .where('project.id', '=', projectId)
    .where('namespace.kind', '=', 'user')
    .execute()
  return rows.map(({ owner_id }) => owner_id).filter((id) => id !== null)
}
