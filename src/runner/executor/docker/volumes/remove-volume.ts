import type Docker from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import { isNotFound } from '../engine.js'
import { insist } from '../insist.js'

/**
 * Removes a volume that no container uses any more. What is gone is fine; what cannot be removed is reported and left
 * to the sweep at the runner's next start.
 */
export async function removeVolume(docker: Docker, name: string, logger: Logger): Promise<void> {
  await insist(() => removeOnce(docker, name), {
    attempts: 4,
    logger,
    about: { volume: name },
    problem: 'the volume of a job cannot be removed',
  })
}

async function removeOnce(docker: Docker, name: string): Promise<void> {
  try {
    await docker.getVolume(name).remove()
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
