import { MAINTAINER } from '../../access/access-levels.js'

/**
 * Whether a person may go into the container of a job, and change its hold: the one who started the job, or a
 * maintainer. `mayRun`: may start jobs on the ref of the job, which on a protected ref only those may who can push or
 * merge there.
 */
export function mayEnter(facts: { isOwnJob: boolean; accessLevel: number; mayRun: boolean }): boolean {
  return facts.mayRun && (facts.isOwnJob || facts.accessLevel >= MAINTAINER)
}
