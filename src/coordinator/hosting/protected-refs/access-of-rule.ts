import { LEVELS } from '../../access/permissions.js'
import type { Database } from '../../database/connect.js'
import { ApiError } from '../../http/errors.js'
import { addAccess, groupsAmong, type Named, removeAccess, usersAmong } from './access-store.js'
import type { Allowed } from './schema.js'

const MAINTAINER = LEVELS.maintainer
const ROLE_LEVELS = [0, 30, 40]

/** What a request says of one right: the level of the least role, and who else is named. */
export interface AskedAccess {
  action: Named['action']
  /** Of the parameter for a role alone. */
  level: number | undefined
  allowed: Allowed[] | undefined
}

/**
 * The least role that a new rule lets do this: as asked; nobody where only users and groups are named; maintainers where
 * nothing is said. Throws 422 for a level that is none.
 */
export function roleOf({ level, allowed }: AskedAccess, otherwise: number = MAINTAINER): number {
  const roles = [level, ...(allowed ?? []).map(({ access_level }) => access_level)]
    .filter((role) => role !== undefined)
    .map(validLevel)
  if (roles.length === 0) return allowed?.some(isNamed) && otherwise === MAINTAINER ? 0 : otherwise
  const positive = roles.filter((role) => role > 0)
  return positive.length === 0 ? 0 : Math.min(...positive)
}

function isNamed({ user_id, group_id, _destroy }: Allowed): boolean {
  return !_destroy && (user_id !== undefined || group_id !== undefined)
}

function validLevel(level: number): number {
  if (!ROLE_LEVELS.includes(level)) throw unprocessable('Access level is not included in the list')
  return level
}

/**
 * Users and groups that are asked for; whoever is no developer of the project may not push for being named. Throws 422 for
 * those that do not exist.
 */
export async function namedBy(database: Database, asked: AskedAccess[]): Promise<Named[]> {
  const named = asked.flatMap(({ action, allowed }) =>
    (allowed ?? []).filter(isNamed).map(({ user_id = null, group_id = null }): Named => {
      return user_id === null ? { action, user_id, group_id } : { action, user_id, group_id: null }
    }),
  )
  const userIds = [...new Set(named.flatMap(({ user_id }) => user_id ?? []))]
  if ((await usersAmong(database, userIds)).length < userIds.length)
    throw unprocessable('User does not exist')
  const groupIds = [...new Set(named.flatMap(({ group_id }) => group_id ?? []))]
  if ((await groupsAmong(database, groupIds)).length < groupIds.length) {
    throw unprocessable('Group does not exist')
  }
  return named
}

/** Adds and takes away users and groups of a rule. */
export async function changeNamed(
  database: Database,
  ruleId: number,
  asked: AskedAccess[],
  named: Named[],
): Promise<void> {
  for (const { action, allowed = [] } of asked) {
    const ids = allowed.flatMap(({ id, _destroy }) => (_destroy && id !== undefined ? [id] : []))
    await removeAccess(database, ruleId, action, ids)
  }
  await addAccess(database, ruleId, named)
}

function unprocessable(message: string): ApiError {
  return new ApiError(422, { message: [message] })
}
