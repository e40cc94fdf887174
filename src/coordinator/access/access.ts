import type { AccessDenied } from './access-denied.js'
import type { Caller, Group, Project, User } from './caller.js'
import {
  type Access,
  GROUP_RULES,
  type GroupPermission,
  LEVELS,
  PROJECT_RULES,
  type ProjectPermission,
} from './permissions.js'
import type { Feature, FeatureColumn } from './project-features.js'
import { whyReadOnly } from './read-only.js'

/** What is known about one caller and one project. */
export interface ProjectAccess {
  /** Level of the membership, 0 without one. */
  membership: number
  /** The project lies in the caller's personal namespace. */
  ownsNamespace: boolean
}

/**
 * The level in a project that counts (API, A15): administrators and owners of the personal namespace act as
 * owners, and whoever may see a project without being a member reads it like a reporter.
 */
export function effectiveLevel(
  user: User | undefined,
  project: Pick<Project, 'visibility'>,
  projectAccess: ProjectAccess,
): number {
  return Math.max(membershipLevel(user, projectAccess), visitorLevel(user, project))
}

/** The part of the effective level that the project's visibility gives by itself. */
export function visitorLevel(user: User | undefined, project: Pick<Project, 'visibility'>): number {
  return isOpenTo(user, project) ? LEVELS.reporter : 0
}

/** The part of the effective level that does not come from the project's visibility. */
export function membershipLevel(
  user: User | undefined,
  { ownsNamespace, membership }: ProjectAccess,
): number {
  return user?.is_admin || ownsNamespace ? LEVELS.owner : membership
}

/** The level in a group that counts: whoever may see it without being a member is like a guest there. */
export function effectiveGroupLevel(
  user: User | undefined,
  group: Pick<Group, 'visibility'>,
  membership: number,
): number {
  if (user?.is_admin) return LEVELS.owner
  return Math.max(membership, isOpenTo(user, group) ? LEVELS.guest : 0)
}

function isOpenTo(user: User | undefined, { visibility }: Pick<Project, 'visibility'>): boolean {
  switch (visibility) {
    case 'public':
      return true
    case 'internal':
      return user !== undefined && !user.external
    case 'private':
      return false
  }
}

interface AccessQuery {
  project: FeatureProject & Pick<Project, 'public_jobs'>
  /** Effective level of the caller there. */
  accessLevel: number
  /** The part of that level which a membership gives; 0 for a mere visitor of a project that is open. */
  membership: number
}

/** Whether somebody may do this in the project, by the table of permissions. */
export function may(
  permission: ProjectPermission,
  { project, accessLevel, membership }: AccessQuery,
): boolean {
  const rule = PROJECT_RULES[permission]
  if (rule.feature && !isForCaller(rule.feature, { project, membership })) return false
  if (!rule.asPublicJobs) return accessLevel >= rule.level
  return project.public_jobs ? accessLevel >= LEVELS.guest : membership >= rule.level
}

/** The effective level as far as code goes: where that is not for the caller, at most a guest's. */
export function levelForCode({ project, accessLevel, membership }: CodeAccessQuery): number {
  const isOpen = isForCaller('repository', { project, membership })
  return isOpen ? accessLevel : Math.min(accessLevel, LEVELS.guest)
}

type CodeAccessQuery = Pick<AccessQuery, 'accessLevel' | 'membership'> & { project: FeatureProject }

/** Pipelines are of code: where that is switched off, or kept for members, so are they. */
function isForCaller(
  feature: Feature,
  { project, membership }: Omit<CodeAccessQuery, 'accessLevel'>,
): boolean {
  const levels = [project[`${feature}_access_level`]]
  if (feature === 'builds') levels.push(project.repository_access_level)
  if (levels.includes('disabled')) return false
  return !levels.includes('private') || membership >= LEVELS.guest
}

type FeatureProject = Pick<Project, FeatureColumn>

export function isProjectPermission(access: Access): access is ProjectPermission {
  return Object.hasOwn(PROJECT_RULES, access)
}

export function isGroupPermission(access: Access): access is GroupPermission {
  return Object.hasOwn(GROUP_RULES, access)
}

const UNAUTHORIZED: AccessDenied = { status: 401 }
const FORBIDDEN: AccessDenied = { status: 403 }

/** The refusal of an operation that names neither project nor group, if there is one. */
export function refusalOfCaller(access: Access, caller: Caller): AccessDenied | undefined {
  if (access === 'anyone') return undefined
  if (caller.kind === 'anonymous') return UNAUTHORIZED
  if (access === 'administrator' && !caller.user.is_admin) return FORBIDDEN
  return undefined
}

/** What counts of an operation. */
export interface AttemptedOperation {
  /** Of HTTP. */
  method: string
  /** It is no GET, yet leaves everything as it is. */
  changesNothing?: true
}

interface Attempt {
  caller: Caller
  operation: AttemptedOperation
  /** Effective level; 0 where the caller sees nothing, or there is nothing. */
  accessLevel: number
}

interface ProjectAttempt extends Attempt {
  membership: number
}

/**
 * The refusal of an operation on a project, if there is one: what the caller may not see is 404, what it may see but
 * not do is 403; without a credential, changing anything or what only members may do is 401 (API, A4). A project
 * that does not exist looks like one that is hidden.
 */
export function refusalInProject(
  permission: ProjectPermission,
  project: Project | undefined,
  attempt: ProjectAttempt,
): AccessDenied | undefined {
  if (mustSignIn(attempt, PROJECT_RULES[permission].level > LEVELS.reporter)) return UNAUTHORIZED
  if (!project || attempt.accessLevel === 0) return { status: 404, subject: 'Project' }
  const isAllowed = may(permission, { ...attempt, project }) && !isFrozen(permission, project, attempt)
  if (isAllowed) return undefined
  return attempt.caller.kind === 'anonymous' ? UNAUTHORIZED : FORBIDDEN
}

/** Whether an operation would change what can be read only, and must not (API, C2). */
function isFrozen(permission: ProjectPermission, project: Project, { operation }: Attempt): boolean {
  const reason = whyReadOnly(project)
  if (reason === undefined || !isChange(operation)) return false
  const { whenReadOnly, notWhenMarked } = PROJECT_RULES[permission]
  if (reason === 'marked for deletion' && notWhenMarked) return true
  return whenReadOnly === 'removals' ? operation.method !== 'DELETE' : whenReadOnly === undefined
}

/** The same for an operation on a group. */
export function refusalInGroup(
  permission: GroupPermission,
  group: Group | undefined,
  attempt: Attempt,
): AccessDenied | undefined {
  const { level } = GROUP_RULES[permission]
  if (mustSignIn(attempt, level > LEVELS.guest)) return UNAUTHORIZED
  if (!group || attempt.accessLevel === 0) return { status: 404, subject: 'Group' }
  return attempt.accessLevel >= level ? undefined : FORBIDDEN
}

function mustSignIn({ caller, operation }: Attempt, isForMembers: boolean): boolean {
  return caller.kind === 'anonymous' && (operation.method !== 'GET' || isForMembers)
}

/** Whether it is there to change something. */
export function isChange({ method, changesNothing }: AttemptedOperation): boolean {
  return method !== 'GET' && !changesNothing
}
