import type { Container } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { isNotFound, statusOf } from '../engine.js'
import { insist } from '../insist.js'

const CONFLICT = 409

/**
 * Removes a container, whatever runs in it, with its anonymous volumes unless they are to be kept. What is gone is
 * fine; what cannot be removed is reported and left to the sweep at the runner's next start, for a job's result does
 * not depend on it.
 */
export async function removeContainer(
  container: Container,
  logger: Logger,
  { keepVolumes = false } = {},
): Promise<void> {
  await insist(() => removeOnce(container, keepVolumes), {
    attempts: 4,
    logger,
    about: { container: container.id },
    problem: 'the container of a job cannot be removed',
  })
}

async function removeOnce(container: Container, keepVolumes: boolean): Promise<void> {
  try {
    await container.remove({ force: true, v: !keepVolumes })
  } catch (error) {
    if (!isNotFound(error) && !isBeingRemoved(error)) throw error
  }
}

function isBeingRemoved(error: unknown): boolean {
  return statusOf(error) === CONFLICT && messageOf(error).includes('already in progress')
}
