import { MAINTAINER } from '../../access/access-levels.js'

interface EntranceFacts {
  isOwnJob: boolean
  accessLevel: number
  /**
   * May start jobs on the ref of the job, which on a protected ref only those may who can push or merge there.
   */
  mayRun: boolean
}

/**
 * Whether a person may go into the container of a job that is held, and change its hold: the one who started the job, or
 * a maintainer.
 */
export function mayEnter({ isOwnJob, accessLevel, mayRun }: EntranceFacts): boolean {
  return mayRun && (isOwnJob || accessLevel >= MAINTAINER)
}

/**
 * Whether a person may go into the container of a job that runs: the one who started it, or an administrator. The token
 * of a running job acts for the person who started it, so that a maintainer in the job of somebody else would too.
 */
export function mayEnterRunning({
  isOwnJob,
  isAdmin,
  mayRun,
}: Pick<EntranceFacts, 'isOwnJob' | 'mayRun'> & { isAdmin: boolean }): boolean {
  return mayRun && (isOwnJob || isAdmin)
}
