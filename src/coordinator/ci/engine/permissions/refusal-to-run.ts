import { DEVELOPER } from '../../../access/access-levels.js'
import { whyReadOnly } from '../../../access/read-only.js'
import type { ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { PipelineSource } from '../pipeline-source.js'
import type { RefProtection } from './ref-protection.js'

/** The user, the ref, and the source of a request to run jobs. */
export interface RunAttempt {
  /** The source of the pipeline; `play` = jobs of an existing pipeline are started or retried. */
  by: PipelineSource | 'play'
  project: Pick<
    ProjectRow,
    'archived' | 'marked_for_deletion_at' | 'builds_access_level' | 'repository_access_level'
  >
  user: Pick<UserRow, 'state'>
  /** Access level of the user in the project. */
  accessLevel: number
  /** Short name of the branch or tag. */
  ref: string
  protection: RefProtection
}

export interface RunRefusal {
  reason: 'read-only' | 'disabled' | 'blocked' | 'role' | 'protected-ref'
  message: string
}

/**
 * The reason why this user may not run a pipeline or its jobs on this ref; undefined if allowed. All sources
 * use this check (CI language, 9.2, rows 1 and 2). Jobs on a protected ref receive its protected variables,
 * so only users who may push or merge there may start them.
 */
export function refusalToRun(attempt: RunAttempt): RunRefusal | undefined {
  const { project, user, accessLevel, ref } = attempt
  const readOnly = whyReadOnly(project)
  if (readOnly !== undefined) return { reason: 'read-only', message: `The project is ${readOnly}` }
  // Pipelines need the repository feature: without it they are disabled too (API, C1).
  if ([project.builds_access_level, project.repository_access_level].includes('disabled')) {
    return { reason: 'disabled', message: 'Pipelines are disabled!' }
  }
  if (user.state !== 'active') return { reason: 'blocked', message: 'The user is blocked' }
  if (accessLevel < DEVELOPER) {
    return { reason: 'role', message: 'Insufficient permissions to create a new pipeline' }
  }
  return mayWrite(attempt) ? undefined : { reason: 'protected-ref', message: protectedRefMessage(ref) }
}

/**
 * Git has already checked a push against the rules. The first push of a project happens before its default
 * branch is protected.
 */
function mayWrite({ by, protection, accessLevel }: RunAttempt): boolean {
  return by === 'push' || !protection || protection.levels.some((level) => accessLevel >= level)
}

function protectedRefMessage(ref: string): string {
  return `You do not have sufficient permission to run a pipeline on '${ref}'. Please select a different branch or contact your administrator for assistance.`
}
