import { MAINTAINER, OWNER } from '../../access/access-levels.js'
import type { User } from '../../access/caller.js'
import { LEVEL_NAMES } from '../../access/level-names.js'
import type { Database } from '../../database/connect.js'
import {
  deleteMemberRow,
  deleteMemberRowsBelow,
  insertMember,
  type MembershipRow,
  updateMember,
} from '../../database/stores/member-store.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import {
  ApiError,
  apiError,
  forbidden,
  invalidParameters,
  invalidRecord,
  notFound,
} from '../../http/errors.js'
import { emitMemberEvents } from '../../integrations/webhooks/outbox/emit-member-events.js'
import { mailMembership } from './member-mails.js'
import type { Source } from './source.js'
import {
  findMember,
  hasOtherOwner,
  inheritedMembership,
  isMembershipLocked,
  lockGroup,
  type MemberRow,
  type MemberScope,
  ownerIdOfNamespace,
} from './store.js'

/** Minimum access level to remove other members. */
const LEAST_TO_REMOVE = { project: MAINTAINER, group: OWNER }

export interface MemberDeps {
  database: Database
  /** Finds a user by ID or username. */
  findUser: (idOrName: string) => Promise<User | undefined>
}

export interface MemberGrant {
  access_level: number
  /** First day without access, `YYYY-MM-DD`. */
  expires_at?: string | null
}

/** The user who grants or revokes access, up to their own level. */
export interface Actor {
  user: User | undefined
  accessLevel: number
}

/** Throws 404 for an unknown user and 409 for one who is already a member. */
export async function addMember(
  { database, findUser }: MemberDeps,
  source: Source,
  idOrName: string,
  grant: MemberGrant,
  actor: Actor,
): Promise<MemberRow> {
  refuseLevel(grant.access_level, actor)
  await refuseLocked(database, source)
  const user = await findUser(idOrName)
  if (!user) throw notFound('User')
  return inTransaction(database, async (tx) => {
    await enrol(tx, source, user.id, grant, actor)
    return existingMember(tx, { source }, user.id)
  })
}

/** Makes the user a member, with the checks that apply to every caller. */
export async function enrol(
  tx: Transaction,
  source: Source,
  userId: number,
  grant: MemberGrant,
  actor: Actor,
): Promise<void> {
  const added = await enrolQuietly(tx, source, userId, grant, actor)
  await emitMemberEvents(tx, 'added', [added])
  await mailMembership(tx, source, added, actor.user)
}

/** As `enrol`, for members whom an import adds: no webhook and no mail says so. */
export async function enrolQuietly(
  tx: Transaction,
  source: Source,
  userId: number,
  { access_level, expires_at }: MemberGrant,
  { user }: Actor,
): Promise<MembershipRow> {
  await refuseUndercut(tx, source, userId, access_level)
  const values = { user_id: userId, access_level, expires_at: dayOf(expires_at) }
  const added = await insertMember(tx, source, { ...values, created_by_id: user?.id ?? null })
  if (!added) throw apiError('member_exists')
  return added
}

/**
 * Adds several members. A failure does not stop the others, and is reported under the username, or under the
 * given value if there is no such user (API, C3).
 */
export async function addMembers(
  deps: MemberDeps,
  source: Source,
  idsOrNames: string[],
  grant: MemberGrant,
  actor: Actor,
): Promise<{ status: 'success' | 'error'; message?: Record<string, string> }> {
  const problems: Record<string, string> = {}
  for (const idOrName of new Set(idsOrNames)) {
    const problem = await problemOf(() => addMember(deps, source, idOrName, grant, actor))
    if (problem === undefined) continue
    const user = await deps.findUser(idOrName)
    problems[user?.username ?? idOrName] = problem
  }
  return resultOf(problems)
}

/**
 * Error message for one of several members. Permission errors are thrown, because they apply to all of them.
 */
export async function problemOf(attempt: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 403) throw error
    const { message } = error.body
    return typeof message === 'string' ? message : sentenceOf(message)
  }
}

function sentenceOf(problems: unknown): string {
  return Object.entries(problems as Record<string, string[]>)
    .map(
      ([field, texts]) =>
        `${field.charAt(0).toUpperCase()}${field.slice(1).replace(/_/g, ' ')} ${texts.join(', ')}`,
    )
    .join(', ')
}

export function resultOf(problems: Record<string, string>): {
  status: 'success' | 'error'
  message?: Record<string, string>
} {
  return Object.keys(problems).length > 0 ? { status: 'error', message: problems } : { status: 'success' }
}

/** Throws 403 for the last owner of a group, because the group would have no owner. */
export async function changeMember(
  database: Database,
  source: Source,
  userId: number,
  grant: MemberGrant,
  actor: Actor,
): Promise<MemberRow> {
  return inTransaction(database, async (tx) => {
    if (source.kind === 'group') await lockGroup(tx, source.id)
    const member = await existingMember(tx, { source }, userId)
    if (member.access_level > actor.accessLevel) throw forbidden()
    refuseLevel(grant.access_level, actor)
    if (grant.access_level < member.access_level) await refuseLastOwner(tx, source, member)
    await refuseUndercut(tx, source, userId, grant.access_level)
    const expires_at = grant.expires_at === undefined ? member.expires_at : dayOf(grant.expires_at)
    const changed = await updateMember(tx, source, userId, { access_level: grant.access_level, expires_at })
    await emitMemberEvents(tx, 'updated', changed)
    return existingMember(tx, { source }, userId)
  })
}

/**
 * Maintainers of a project and owners of a group remove members up to their own level; every member may
 * leave.
 */
export async function deleteMember(
  database: Database,
  source: Source,
  userId: number,
  actor: Actor,
  skipSubresources = false,
): Promise<void> {
  const isSelf = actor.user?.id === userId
  if (!isSelf && actor.accessLevel < LEAST_TO_REMOVE[source.kind]) throw forbidden()
  await inTransaction(database, async (tx) => {
    if (source.kind === 'group') await lockGroup(tx, source.id)
    const member = await existingMember(tx, { source }, userId)
    if (!isSelf && member.access_level > actor.accessLevel) throw forbidden()
    await refuseLastOwner(tx, source, member)
    await emitMemberEvents(tx, 'removed', await deleteMemberRow(tx, source, userId))
    if (source.kind === 'group' && !skipSubresources) {
      await emitMemberEvents(tx, 'removed', await deleteMemberRowsBelow(tx, source.id, userId))
    }
  })
}

/** Throws 404 if the user is not a member. */
export async function existingMember(
  database: Database,
  scope: MemberScope,
  userId: number,
): Promise<MemberRow> {
  const member = await findMember(database, scope, userId)
  if (!member) throw notFound()
  return member
}

export function whoToAdd(params: { user_id?: string; username?: string }): string[] {
  return listOf(params.user_id ?? params.username ?? '')
}

/** Each of them is added on its own. */
const MAX_ADDED = 100

/** Splits a text at commas. Throws 400 for more than a hundred parts. */
export function listOf(given: string): string[] {
  const parts = given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length > MAX_ADDED) throw invalidParameters(`at most ${MAX_ADDED} users can be added at once`)
  return parts
}

export function refuseLevel(level: number, { accessLevel }: Actor): void {
  if (!LEVEL_NAMES.has(level)) throw invalidRecord({ access_level: ['is not included in the list'] })
  if (level > accessLevel) throw forbidden()
}

/** A group may forbid direct members of its projects. */
export async function refuseLocked(database: Database, { kind, namespaceId }: Source): Promise<void> {
  if (kind === 'project' && (await isMembershipLocked(database, namespaceId))) throw forbidden()
}

/** A direct membership below the inherited level would have no effect. */
async function refuseUndercut(
  database: Database,
  source: Source,
  userId: number,
  level: number,
): Promise<void> {
  const inherited = await inheritedMembership(database, source, userId)
  if (!inherited || inherited.access_level <= level) return
  const { access_level, name } = inherited
  const least = `${LEVEL_NAMES.get(access_level) ?? access_level} inherited membership from group ${name}`
  throw invalidRecord({ access_level: [`should be greater than or equal to ${least}`] })
}

async function refuseLastOwner(tx: Transaction, source: Source, member: MemberRow): Promise<void> {
  if (source.kind === 'group') {
    if (member.access_level >= OWNER && !(await hasOtherOwner(tx, source.id, member.id))) throw forbidden()
  } else if ((await ownerIdOfNamespace(tx, source.namespaceId)) === member.id) {
    throw apiError('namespace_owner_not_removable')
  }
}

/** Throws 400 for a day in the past, and for today, since access would end at once. */
export function dayOf(day: string | null | undefined): number | null {
  if (!day) return null
  const first = Date.parse(day)
  if (first <= Date.now()) throw invalidRecord({ expires_at: ['cannot be a date in the past'] })
  return first
}
