import type { GitError } from '../../../git/errors.js'
import { warnOfDamage } from '../../../lib/damage.js'
import type { Logger } from '../../../lib/logger.js'
import type { Project } from '../../access/caller.js'

/** Logs the damage of a repository once, for responses that show the rest. */
export function logsDamage({ logger }: { logger: Logger }, { id }: Project): (error: GitError) => void {
  return (error) => {
    const damage = error.damage ?? error.message
    warnOfDamage(logger, `${damage} ${id}`, { err: error, project: id }, damage)
  }
}
