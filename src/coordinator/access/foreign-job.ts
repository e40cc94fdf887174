import { type AttemptedOperation, isChange, refusalInProject, visitorLevel } from './access.js'
import type { AccessDenied } from './access-denied.js'
import type { Caller, Project } from './caller.js'
import type { ProjectPermission } from './permissions.js'

/** Whether a project lets in the jobs of another one with their tokens; its own it always does. */
export type AllowsJobTokensOf = (project: Project, jobProjectId: number) => Promise<boolean>

/** What a job is where it is not let in. */
interface Visit {
  user: undefined
  /** Effective level. */
  accessLevel: number
  membership: 0
}

/**
 * How far the caller gets as a job of a project whose jobs are not let in: it reads what is shown to everybody who sees
 * the project by its visibility, whatever the user of the job is there (API, A3).
 * Denied with 403 for anything else; undefined for every other caller. To be asked after the user of the job was not
 * refused, for a refusal tells that there is the project.
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

/** What a job is told that is not let in, and that may know of the project. */
export function jobTokenRefusal(jobProjectId: number, { id }: Pick<Project, 'id'>): string {
  return `This project does not let in jobs of project ${jobProjectId}: a maintainer allows them with POST /projects/${id}/job_token_scope/allowlist`
}
