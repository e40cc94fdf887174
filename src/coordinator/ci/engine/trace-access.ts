import { DEVELOPER } from '../../access/access-levels.js'

/**
 * Whether a user with this access level may read the log of a job of a project whose pipelines they may read. A debug
 * log shows every command and variable, so only users who could have enabled it may read it (CI language, 8.7).
 */
export function mayReadTrace(accessLevel: number, job: { debug_trace: boolean }): boolean {
  return !job.debug_trace || accessLevel >= DEVELOPER
}
