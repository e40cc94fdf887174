import { type ApiError, forbidden, notFound, unauthorized } from './errors.js'
import type { Access, Caller, Method, Project, ProjectAccess, User } from './operation.js'

/** What is known about one caller and one project. */
export interface Standing {
  /** Level of the membership, 0 without one. */
  membership: number
  /** The project lies in the caller's personal namespace. */
  ownsNamespace: boolean
}

const LEVELS: Record<ProjectAccess, number> = {
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
}

const REPORTER = 20

/**
 * The level that counts (API gaps, A15): administrators and owners of the personal namespace act as owners, and
 * whoever may see a project without being a member reads it like a reporter.
 */
export function effectiveLevel(
  user: User | undefined,
  project: Pick<Project, 'visibility'>,
  standing: Standing,
): number {
  if (user?.is_admin || standing.ownsNamespace) return LEVELS.owner
  return Math.max(standing.membership, isOpenTo(user, project) ? REPORTER : 0)
}

interface Reading {
  project: Pick<Project, 'public_jobs'>
  /** Effective level of the caller there. */
  accessLevel: number
}

/** Guests see pipelines, and all that belongs to them, only where the project shows them to everyone (API gaps, A15). */
export function mayReadPipelines({ project, accessLevel }: Reading): boolean {
  return accessLevel >= REPORTER || (accessLevel >= LEVELS.guest && project.public_jobs)
}

/** Throws 403 for those who may not read pipelines. */
export function checkMayReadPipelines(reading: Reading): void {
  if (!mayReadPipelines(reading)) throw forbidden()
}

function isOpenTo(user: User | undefined, project: Pick<Project, 'visibility'>): boolean {
  switch (project.visibility) {
    case 'public':
      return true
    case 'internal':
      return user !== undefined
    case 'private':
      return false
  }
}

export function isProjectAccess(access: Access): access is ProjectAccess {
  return access in LEVELS
}

/** The refusal of an operation that names no project, if there is one. */
export function refusalOfCaller(access: Access, caller: Caller): ApiError | undefined {
  if (access === 'anyone') return undefined
  if (caller.kind === 'anonymous') return unauthorized()
  if (access === 'administrator' && !caller.user.is_admin) return forbidden()
  return undefined
}

/**
 * The refusal of an operation on a project, if there is one: what the caller may not see is 404, what it may see but
 * not do is 403; without a credential, changing anything or what only members may do is 401 (API gaps, A4).
 * `level` is 0 for a project that does not exist, so that the two cases look alike.
 */
export function refusalOfLevel(
  access: ProjectAccess,
  method: Method,
  caller: Caller,
  level: number,
): ApiError | undefined {
  if (caller.kind === 'anonymous' && (method !== 'GET' || LEVELS[access] > REPORTER)) return unauthorized()
  if (level === 0) return notFound('Project')
  if (level < LEVELS[access]) return caller.kind === 'anonymous' ? unauthorized() : forbidden()
  return undefined
}
