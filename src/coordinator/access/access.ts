import type { AccessDenied } from './access-denied.js'
import { ACCESS_LEVELS } from './access-levels.js'
import type { Caller, Group, Project, User } from './caller.js'
import {
  type Access,
  GROUP_RULES,
  type GroupPermission,
  PROJECT_RULES,
  type ProjectPermission,
} from './permissions.js'
import type { Feature, FeatureColumn } from './project-features.js'
import { whyReadOnly } from './read-only.js'

/** Relation of one caller to one project. */
export interface ProjectAccess {
  /** Access level of the membership; 0 without one. */
  membership: number
  /** Whether the project is in the personal namespace of the caller. */
  ownsNamespace: boolean
}

/**
 * Effective access level in a project (API, A15). Administrators and owners of the personal namespace count
 * as owners. Users who may see a project without being a member count as reporters.
 */
export function effectiveLevel(
  user: User | undefined,
  project: Pick<Project, 'visibility'>,
  projectAccess: ProjectAccess,
): number {
  return Math.max(membershipLevel(user, projectAccess), visitorLevel(user, project))
}

/** The part of the effective level that comes from the visibility of the project. */
export function visitorLevel(user: User | undefined, project: Pick<Project, 'visibility'>): number {
  return isOpenTo(user, project) ? ACCESS_LEVELS.reporter : 0
}

/** The part of the effective level that does not come from the visibility of the project. */
export function membershipLevel(
  user: User | undefined,
  { ownsNamespace, membership }: ProjectAccess,
): number {
  return user?.is_admin || ownsNamespace ? ACCESS_LEVELS.owner : membership
}

/** Effective access level in a group; users who may see it without being a member count as guests. */
export function effectiveGroupLevel(
  user: User | undefined,
  group: Pick<Group, 'visibility'>,
  membership: number,
): number {
  if (user?.is_admin) return ACCESS_LEVELS.owner
  return Math.max(membership, isOpenTo(user, group) ? ACCESS_LEVELS.guest : 0)
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

export interface AccessQuery {
  project: FeatureProject & Pick<Project, 'public_jobs'>
  /** Effective level of the caller in the project. */
  accessLevel: number
  /** The part of that level that comes from a membership; 0 for a visitor of a public or internal project. */
  membership: number
}

/** Whether the caller has the permission in the project, by the table of permissions. */
export function may(
  permission: ProjectPermission,
  { project, accessLevel, membership }: AccessQuery,
): boolean {
  const rule = PROJECT_RULES[permission]
  const { feature } = rule
  if (feature && ![feature].flat().some((one) => isForCaller(one, { project, membership }))) return false
  if (rule.membersOnly) return membership >= rule.level
  if (!rule.asPublicJobs) return accessLevel >= rule.level
  return project.public_jobs ? accessLevel >= ACCESS_LEVELS.guest : membership >= rule.level
}

/** Effective level for code: at most guest if the repository is disabled or limited to members. */
export function levelForCode({ project, accessLevel, membership }: CodeAccessQuery): number {
  const isOpen = isForCaller('repository', { project, membership })
  return isOpen ? accessLevel : Math.min(accessLevel, ACCESS_LEVELS.guest)
}

type CodeAccessQuery = Pick<AccessQuery, 'accessLevel' | 'membership'> & { project: FeatureProject }

/** Features that also require the repository feature, because they show code. */
const OF_CODE = new Set<Feature>(['builds', 'merge_requests'])

/** Whether the feature is available to the caller. */
export function isForCaller(
  feature: Feature,
  { project, membership }: Omit<CodeAccessQuery, 'accessLevel'>,
): boolean {
  const levels = [project[`${feature}_access_level`]]
  if (OF_CODE.has(feature)) levels.push(project.repository_access_level)
  if (levels.includes('disabled')) return false
  return !levels.includes('private') || membership >= ACCESS_LEVELS.guest
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

/** Names the required role, unless the caller has it and is refused for another reason. */
function forbiddenBelow(level: number, accessLevel: number, subject: 'project' | 'group'): AccessDenied {
  const role = ROLES.find((name) => ACCESS_LEVELS[name] === level)
  return role === undefined || accessLevel >= level ? FORBIDDEN : { status: 403, required: { role, subject } }
}

const ROLES = Object.keys(ACCESS_LEVELS) as (keyof typeof ACCESS_LEVELS)[]

/** Refusal of an operation that names neither project nor group; undefined if it is allowed. */
export function refusalOfCaller(access: Access, caller: Caller): AccessDenied | undefined {
  if (access === 'anyone') return undefined
  if (caller.kind === 'anonymous') return UNAUTHORIZED
  if (access === 'administrator' && !caller.user.is_admin) {
    return { status: 403, required: { role: 'administrator' } }
  }
  return undefined
}

/** The properties of an operation that access depends on. */
export interface AttemptedOperation {
  /** HTTP method. */
  method: string
  /** Set for an operation that is no GET but changes nothing. */
  changesNothing?: true
}

interface Attempt {
  caller: Caller
  operation: AttemptedOperation
  /** Effective level; 0 if the subject is hidden from the caller or does not exist. */
  accessLevel: number
}

interface ProjectAttempt extends Attempt {
  membership: number
}

/**
 * Refusal of an operation on a project; undefined if it is allowed. A hidden project gives 404 and a missing
 * permission 403. Without a credential, changes and operations for members give 401 (API, A4). An unknown
 * project gives the same response as a hidden one.
 */
export function refusalInProject(
  permission: ProjectPermission,
  project: Project | undefined,
  attempt: ProjectAttempt,
): AccessDenied | undefined {
  if (mustSignIn(attempt, PROJECT_RULES[permission].level > ACCESS_LEVELS.reporter)) return UNAUTHORIZED
  if (!project || attempt.accessLevel === 0) return { status: 404, subject: 'Project' }
  const isAllowed = may(permission, { ...attempt, project }) && !isFrozen(permission, project, attempt)
  if (isAllowed) return undefined
  if (attempt.caller.kind === 'anonymous') return UNAUTHORIZED
  return forbiddenBelow(PROJECT_RULES[permission].level, attempt.accessLevel, 'project')
}

/** Whether the operation would change a read-only project and is not one of the exceptions (API, C2). */
function isFrozen(permission: ProjectPermission, project: Project, { operation }: Attempt): boolean {
  if (!isChange(operation)) return false
  const refused = refusedChanges(permission, project)
  return refused === 'all but removals' ? operation.method !== 'DELETE' : refused === 'all'
}

/**
 * The changes under this permission that the state of the project refuses to every caller; undefined = none. A removal is
 * an operation whose method is DELETE.
 */
export function refusedChanges(
  permission: ProjectPermission,
  project: Project,
): 'all' | 'all but removals' | undefined {
  const reason = whyReadOnly(project)
  if (reason === undefined) return undefined
  const { whenReadOnly, notWhenMarked } = PROJECT_RULES[permission]
  if (reason === 'marked for deletion' && notWhenMarked) return 'all'
  if (whenReadOnly === undefined) return 'all'
  return whenReadOnly === 'removals' ? 'all but removals' : undefined
}

/** The refusal of an operation on a group; undefined = allowed. */
export function refusalInGroup(
  permission: GroupPermission,
  group: Group | undefined,
  attempt: Attempt,
): AccessDenied | undefined {
  const { level } = GROUP_RULES[permission]
  if (mustSignIn(attempt, level > ACCESS_LEVELS.guest)) return UNAUTHORIZED
  if (!group || attempt.accessLevel === 0) return { status: 404, subject: 'Group' }
  return attempt.accessLevel >= level ? undefined : forbiddenBelow(level, attempt.accessLevel, 'group')
}

function mustSignIn({ caller, operation }: Attempt, isForMembers: boolean): boolean {
  return caller.kind === 'anonymous' && (operation.method !== 'GET' || isForMembers)
}

/** Whether the operation is meant to change something. */
export function isChange({ method, changesNothing }: AttemptedOperation): boolean {
  return method !== 'GET' && !changesNothing
}
