import type { ApiErrorCode } from '../../../../error-catalogue/api-errors.js'
import { DEVELOPER, REPORTER } from '../../../access/access-levels.js'
import { levelForCode, visitorLevel } from '../../../access/access.js'
import type { Caller, Project, User } from '../../../access/caller.js'
import { type AllowsJobTokensOf, jobTokenRefusal } from '../../../access/foreign-job.js'
import { whyReadOnly } from '../../../access/read-only.js'
import { canSeeProject } from '../../../http/authentication/deploy-token.js'
import {
  type DeployKeyCaller,
  type GitCaller,
  mayPush,
} from '../../../http/authentication/git-credentials.js'
import { ApiError } from '../../../http/errors.js'
import type { GitService } from './git-path.js'
import { credentialsWanted, gitError } from './git-refused-error.js'
import { ProjectRedirectError } from './project-redirect-error.js'

/** Credentials of a request. */
export interface ShownCredentials {
  authorization: string | undefined
  /** IP address of the client. */
  address: string
}

/** Functions of the coordinator that authenticate and authorize git requests. */
export interface GitAccess {
  /** Throws `ApiError` 401 for wrong credentials, 429 for too many of them, 403 for a user who may not sign in. */
  authenticate(shown: ShownCredentials): Promise<GitCaller>
  findProject(fullPath: string): Promise<Project | undefined>
  /** Finds the project that formerly had this path. */
  findRedirect(fullPath: string): Promise<{ project: Project } | undefined>
  /**
   * Creates a private project when a user pushes to a path without one; undefined if the user may not create
   * it. Throws `GitRefusedError` 422 if the path is invalid for a project.
   */
  createProject?(user: User, fullPath: string): Promise<Project | undefined>
  /** Effective access level (API, A15); 0 = the project is hidden from the caller. */
  accessLevel(caller: Caller, project: Project): Promise<number>
  allowsJobTokensOf: AllowsJobTokensOf
  /** Branches of a fork to which the user may push without the role of a developer: those of merge requests that allow it. */
  collaborationBranches?(user: User, project: Project): Promise<string[]>
}

export interface Admitted {
  project: Project
  caller: GitCaller
  accessLevel: number
  /** Path of the project, if it was found under a former one. */
  movedTo?: string
  /** The only branches to which the caller may push; absent for members. */
  onlyBranches?: string[]
}

/** A user who may push, with at least the developer role. */
export interface AdmittedPusher extends Admitted {
  user: User
}

/**
 * Throws `GitRefusedError` unless the caller may use this service of this project (API, B), and `ProjectRedirectError` if
 * the project has another path by now.
 */
export async function admit(
  access: GitAccess,
  service: GitService,
  shown: ShownCredentials,
  fullPath: string,
): Promise<Admitted> {
  const admitted = await admitCaller(access, service, await authenticate(access, shown), fullPath)
  if (admitted.movedTo !== undefined) throw new ProjectRedirectError(admitted.movedTo)
  return admitted
}

/** Throws `GitRefusedError` unless the authenticated caller may use this service of this project (API, B). */
export async function admitCaller(
  access: GitAccess,
  service: GitService,
  caller: GitCaller,
  fullPath: string,
): Promise<Admitted> {
  const found = await access.findProject(fullPath)
  const known = found ?? (await access.findRedirect(fullPath))?.project
  const isPush = service === 'git-receive-pack'
  const made = known || !isPush ? undefined : await createPushedProject(access, caller, fullPath)
  const project = known ?? made
  const accessLevel = project ? await levelOf(access, caller, project, isPush) : 0
  if (caller.kind === 'anonymous' && (isPush || accessLevel < REPORTER)) throw credentialsWanted()
  if (!project || accessLevel === 0) throw gitError('git_project_not_found')
  const onlyBranches = isPush ? await branchesFor(access, caller, project, accessLevel) : undefined
  const level = onlyBranches ? DEVELOPER : accessLevel
  if (isPush) refuseUnlessPusher(caller, project, level)
  else if (accessLevel < REPORTER) {
    throw gitError('git_download_forbidden')
  }
  const movedTo = found || made ? undefined : project.full_path
  return {
    project,
    caller,
    accessLevel: level,
    ...(movedTo !== undefined && { movedTo }),
    ...(onlyBranches && { onlyBranches }),
  }
}

/** Undefined for a developer, and for a caller who may push to no branch. */
async function branchesFor(
  access: GitAccess,
  caller: GitCaller,
  project: Project,
  accessLevel: number,
): Promise<string[] | undefined> {
  if (caller.kind !== 'user' || accessLevel >= DEVELOPER) return undefined
  const branches = (await access.collaborationBranches?.(caller.user, project)) ?? []
  return branches.length > 0 ? branches : undefined
}

/** Like `admit`, for a push. */
export async function admitPusher(
  access: GitAccess,
  shown: ShownCredentials,
  fullPath: string,
): Promise<AdmittedPusher> {
  return asPusher(await admit(access, 'git-receive-pack', shown, fullPath))
}

/** Throws `GitRefusedError` 401 for a caller who is nobody's, and 403 for a deploy key whose creator is gone. */
export function asPusher(admitted: Admitted): AdmittedPusher {
  const { caller } = admitted
  if (caller.kind === 'anonymous' || caller.kind === 'deploy-token') throw credentialsWanted()
  if (!caller.user) throw gitError('git_deploy_key_without_user')
  return { ...admitted, user: caller.user }
}

async function createPushedProject(
  access: GitAccess,
  caller: GitCaller,
  fullPath: string,
): Promise<Project | undefined> {
  return caller.kind === 'user' && mayPush(caller) ? access.createProject?.(caller.user, fullPath) : undefined
}

/** Throws `GitRefusedError` for wrong credentials, for too many of them, and for a user who may not sign in. */
export async function authenticate(
  access: Pick<GitAccess, 'authenticate'>,
  shown: ShownCredentials,
): Promise<GitCaller> {
  try {
    return await access.authenticate(shown)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) throw credentialsWanted()
    if (error.status === 429) {
      throw gitError('git_too_many_attempts', {}, error.headers)
    }
    throw gitError(REFUSED_USERS[error.code] ?? 'git_account_blocked')
  }
}

/** Why a user is refused, by the code that the API has for it. */
const REFUSED_USERS: Partial<
  Record<ApiErrorCode, 'git_email_not_confirmed' | 'git_too_many_addresses' | 'git_second_factor_needed'>
> = {
  second_factor_needed: 'git_second_factor_needed',
  email_not_confirmed: 'git_email_not_confirmed',
  too_many_addresses: 'git_too_many_addresses',
}

/**
 * Access level of the caller. A job token needs the job token allowlist, and a deploy token is limited to its
 * project or group. Outside that, they have the access of an anonymous caller or visitor.
 */
async function levelOf(
  access: GitAccess,
  caller: GitCaller,
  project: Project,
  isPush: boolean,
): Promise<number> {
  if (caller.kind === 'deploy-key') return levelOfDeployKey(access, caller, project, isPush)
  if (caller.kind === 'deploy-token') {
    if (!canSeeProject(caller, project)) return access.accessLevel({ kind: 'anonymous' }, project)
    return levelForCode({ project, accessLevel: REPORTER, membership: REPORTER })
  }
  // Jobs cannot push, so the allowlist makes no difference for a push.
  const isOfLevel =
    caller.kind !== 'job' || isPush || (await access.allowsJobTokensOf(project, caller.job.project_id))
  return isOfLevel ? access.accessLevel(caller, project) : levelOfForeignJob(access, caller, project)
}

/**
 * Access level of a deploy key. Pushes are those of its creator, who needs the access to push as well: a user who lost
 * access does not keep it through a key. Never more than a developer. A key is an anonymous caller in other projects.
 */
async function levelOfDeployKey(
  access: GitAccess,
  caller: DeployKeyCaller,
  project: Project,
  isPush: boolean,
): Promise<number> {
  const enabled = caller.projects.find(({ projectId }) => projectId === project.id)
  if (!enabled) return access.accessLevel({ kind: 'anonymous' }, project)
  const readLevel = levelForCode({ project, accessLevel: REPORTER, membership: REPORTER })
  if (!isPush || !enabled.canPush || !caller.user) return readLevel
  const { user } = caller
  const ofCreator = await access.accessLevel({ kind: 'user', user, scopes: [], tokenId: undefined }, project)
  return ofCreator < DEVELOPER ? readLevel : DEVELOPER
}

/**
 * Access level of a job that is not on the allowlist, which depends on the visibility of the project. Throws
 * `GitRefusedError` 403 with the reason if this is not enough but the user of the job could fetch.
 */
async function levelOfForeignJob(
  access: GitAccess,
  caller: Extract<Caller, { kind: 'job' }>,
  project: Project,
): Promise<number> {
  const accessLevel = visitorLevel(caller.user, project)
  const level = levelForCode({ project, accessLevel, membership: 0 })
  if (level >= REPORTER) return level
  const ofUser = await access.accessLevel(caller, project)
  if (ofUser < REPORTER) return ofUser
  throw gitError('git_job_token_not_allowed', {
    reason: jobTokenRefusal(caller.job.project_id, project),
  })
}

function refuseUnlessPusher(caller: GitCaller, project: Project, accessLevel: number): void {
  if (!mayPush(caller) || accessLevel < DEVELOPER) {
    throw gitError('git_push_forbidden')
  }
  const reason = whyReadOnly(project)
  if (reason !== undefined) {
    throw gitError('git_repository_read_only', { reason })
  }
}
