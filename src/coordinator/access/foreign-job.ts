import type { AccessDenied } from './access-denied.js'
import { type AttemptedOperation, isChange, refusalInProject, visitorLevel } from './access.js'
import type { Caller, Project } from './caller.js'
import type { ProjectPermission } from './permissions.js'

/** Whether a project accepts job tokens of another project; it always accepts its own. */
export type AllowsJobTokensOf = (project: Project, jobProjectId: number) => Promise<boolean>

/** Access of a job whose project is not on the allowlist. */
interface Visit {
  user: undefined
  /** Effective level. */
  accessLevel: number
  membership: 0
}

/**
 * Access of a job whose project is not on the allowlist. It may read what the visibility of the project shows
 * to everyone, whatever the access of its user (API, A3). Other operations are denied with 403; undefined for
 * all other callers. Call this only after the user of the job was allowed, because the denial reveals that
 * the project exists.
 */
export async function visitOfForeignJob(
  allowsJobTokensOf: AllowsJobTokensOf,
  { caller, project }: { caller: Caller; project: Project },
  permission: ProjectPermission,
  operation: AttemptedOperation,
): Promise<{ visit: Visit } | { denied: AccessDenied } | undefined> {
  if (caller.kind !== 'job' || (await allowsJobTokensOf(project, caller.job.project_id))) return undefined
  const visiting = { accessLevel: visitorLevel(caller.user, project), membership: 0 } as const
  const isRefused = refusalInProject(permission, project, { caller, operation, ...visiting }) !== undefined
  if (isRefused || isChange(operation)) {
    return { denied: { status: 403, reason: jobTokenRefusal(caller.job.project_id, project) } }
  }
  return { visit: { user: undefined, ...visiting } }
}

/** Message for a job whose project is not on the allowlist, if its user may see the project. */
export function jobTokenRefusal(jobProjectId: number, { id }: Pick<Project, 'id'>): string {
  return `This project does not accept job tokens of project ${jobProjectId}: a maintainer can add it to the allowlist with POST /projects/${id}/job_token_scope/allowlist`
}
