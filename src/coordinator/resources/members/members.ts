import type { Database } from '../../database/connect.js'
import { ApiError, conflict, forbidden, invalidRecord, notFound } from '../../http/errors.js'
import type { Project, User } from '../../http/operation.js'
import {
  deleteMember,
  findMember,
  findNamespaceOwner,
  insertMember,
  type MemberRow,
  updateMember,
} from './store.js'

/** Levels that a membership can have (API gaps, A15). */
const LEVELS = [10, 20, 30, 40, 50]

export interface MemberDeps {
  database: Database
  /** Takes an id or a username. */
  findUser: (idOrName: string) => Promise<User | undefined>
}

export interface Grant {
  access_level: number
  /** `YYYY-MM-DD`, the first day without access. */
  expires_at?: string | null
}

/** Nobody grants or takes away more than the own level (`ownLevel`). */
export async function addMember(
  { database, findUser }: MemberDeps,
  project: Project,
  idOrName: string,
  grant: Grant,
  ownLevel: number,
): Promise<MemberRow> {
  refuseLevel(grant.access_level, ownLevel)
  const user = await findUser(idOrName)
  if (!user) throw notFound('User')
  const added = await insertMember(database, rowOf(project, user.id, grant))
  if (!added) throw conflict('Member already exists')
  return existingMember(database, project, user.id)
}

/** Adds each of several; the problems are told per name, and stop nobody else's membership. */
export async function addMembers(
  deps: MemberDeps,
  project: Project,
  idsOrNames: string[],
  grant: Grant,
  ownLevel: number,
): Promise<{ status: 'success' | 'error'; message?: Record<string, string> }> {
  const problems: Record<string, string> = {}
  for (const idOrName of idsOrNames) {
    try {
      await addMember(deps, project, idOrName, grant, ownLevel)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 403) throw error
      problems[idOrName] = String(error.body['message'])
    }
  }
  const failed = Object.keys(problems).length > 0
  return failed ? { status: 'error', message: problems } : { status: 'success' }
}

export async function changeMember(
  { database }: MemberDeps,
  project: Project,
  userId: number,
  grant: Grant,
  ownLevel: number,
): Promise<MemberRow> {
  const member = await existingMember(database, project, userId)
  if (member.access_level > ownLevel) throw forbidden()
  refuseLevel(grant.access_level, ownLevel)
  const expires_at = grant.expires_at === undefined ? member.expires_at : dayOf(grant.expires_at)
  await updateMember(database, { ...rowOf(project, userId, grant), expires_at })
  return existingMember(database, project, userId)
}

/** Maintainers remove members up to their own level, and everybody may leave. */
export async function removeMember(
  { database }: MemberDeps,
  project: Project,
  userId: number,
  caller: { user: User | undefined; accessLevel: number },
): Promise<void> {
  const isSelf = caller.user?.id === userId
  if (!isSelf && caller.accessLevel < 40) throw forbidden()
  const member = await existingMember(database, project, userId)
  if (!isSelf && member.access_level > caller.accessLevel) throw forbidden()
  const owner = await findNamespaceOwner(database, project.namespace_id)
  if (owner?.id === userId) throw forbidden('The owner of the namespace cannot be removed')
  await deleteMember(database, project.id, userId)
}

export async function existingMember(
  database: Database,
  project: Project,
  userId: number,
): Promise<MemberRow> {
  const member = await findMember(database, project.id, userId)
  if (!member) throw notFound()
  return member
}

export function whoToAdd(params: { user_id?: string; username?: string }): string[] {
  const given = params.user_id ?? params.username ?? ''
  return given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function refuseLevel(level: number, ownLevel: number): void {
  if (!LEVELS.includes(level)) throw invalidRecord({ access_level: ['is not included in the list'] })
  if (level > ownLevel) throw forbidden()
}

function rowOf(project: Project, userId: number, { access_level, expires_at }: Grant) {
  return { project_id: project.id, user_id: userId, access_level, expires_at: dayOf(expires_at) }
}

function dayOf(day: string | null | undefined): number | null {
  return day ? Date.parse(day) : null
}
