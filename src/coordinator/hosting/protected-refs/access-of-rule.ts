import { DEVELOPER, MAINTAINER } from '../../access/access-levels.js'
import type { Database } from '../../database/connect.js'
import { type ApiError, apiError } from '../../http/errors.js'
import { addAccess, deleteAccess, groupsAmong, type Named, usersAmong } from './access-store.js'
import type { Allowed } from './schema.js'

const ROLE_LEVELS = [0, DEVELOPER, MAINTAINER]

/** Requested access for one action: the minimum role, and the users and groups that are named. */
export interface AskedAccess {
  action: Named['action']
  /** Value of the parameter that sets only a role. */
  level: number | undefined
  allowed: Allowed[] | undefined
}

/**
 * Minimum role that a new rule allows. It is the requested role, or no one if only users and groups are
 * named, or maintainers by default. Throws 422 for an invalid level.
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
 * Users and groups that the request names. Naming users below the developer role gives them no permission to
 * push. Throws 422 for an unknown user or group.
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

/** Adds and deletes users and groups of a rule. */
export async function changeNamed(
  database: Database,
  ruleId: number,
  asked: AskedAccess[],
  named: Named[],
): Promise<void> {
  for (const { action, allowed = [] } of asked) {
    const ids = allowed.flatMap(({ id, _destroy }) => (_destroy && id !== undefined ? [id] : []))
    await deleteAccess(database, ruleId, action, ids)
  }
  await addAccess(database, ruleId, named)
}

function unprocessable(reason: string): ApiError {
  return apiError('ref_access_invalid', { reason })
}
