import { whyReadOnly } from '../../../access/read-only.js'
import type { ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { PipelineSource } from '../pipeline-source.js'
import type { RefProtection } from './ref-protection.js'

/** Who wants jobs to run where, and by what. */
export interface RunQuestion {
  /** What the pipeline comes from; `play` = somebody starts or repeats jobs of one that is there. */
  by: PipelineSource | 'play'
  project: Pick<
    ProjectRow,
    'archived' | 'marked_for_deletion_at' | 'builds_access_level' | 'repository_access_level'
  >
  user: Pick<UserRow, 'state'>
  /** Of the user in the project. */
  accessLevel: number
  /** Short name of the branch or tag. */
  ref: string
  protection: RefProtection
}

export interface RunRefusal {
  reason: 'read-only' | 'disabled' | 'blocked' | 'role' | 'protected-ref'
  message: string
}

const DEVELOPER = 30

/**
 * Why this user may not run a pipeline, or jobs of one, on this branch or tag; undefined = they may. Every source asks
 * here (CI language, 9.2, rows 1 and 2). On a protected ref jobs are trusted with its variables, so that only those may
 * start them who may push or merge there.
 */
export function refusalToRun(question: RunQuestion): RunRefusal | undefined {
  const { project, user, accessLevel, ref } = question
  const readOnly = whyReadOnly(project)
  if (readOnly !== undefined) return { reason: 'read-only', message: `The project is ${readOnly}` }
  // Pipelines are of code: without it there are none either (API, C1).
  if ([project.builds_access_level, project.repository_access_level].includes('disabled')) {
    return { reason: 'disabled', message: 'Pipelines are disabled!' }
  }
  if (user.state !== 'active') return { reason: 'blocked', message: 'The user is blocked' }
  if (accessLevel < DEVELOPER) {
    return { reason: 'role', message: 'Insufficient permissions to create a new pipeline' }
  }
  return mayWrite(question) ? undefined : { reason: 'protected-ref', message: protectedRefMessage(ref) }
}

/** Of a push git has asked the rules already; the first one of a project is what its default branch is protected after. */
function mayWrite({ by, protection, accessLevel }: RunQuestion): boolean {
  return by === 'push' || !protection || protection.levels.some((level) => accessLevel >= level)
}

function protectedRefMessage(ref: string): string {
  return `You do not have sufficient permission to run a pipeline on '${ref}'. Please select a different branch or contact your administrator for assistance.`
}
