import type Docker from 'dockerode'

import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { retry } from '../../../lib/retry.js'
import { isNotFound } from './engine.js'

/**
 * Removes a volume that no container uses any more. What is gone is fine; what cannot be removed is reported and left
 * to the sweep at the runner's next start.
 */
export async function removeVolume(docker: Docker, name: string, logger: Logger): Promise<void> {
  try {
    await retry(() => removeOnce(docker, name), {
      attempts: 4,
      delay: 500,
      maximumDelay: 5000,
      isWorthRetrying: () => true,
    })
  } catch (error) {
    logger.error({ volume: name, error: messageOf(error) }, 'the volume of a job cannot be removed')
  }
}

async function removeOnce(docker: Docker, name: string): Promise<void> {
  try {
    await docker.getVolume(name).remove()
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
