import type { Container } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { isNotFound, statusOf } from '../engine.js'
import { retryOrLog } from '../retry-or-log.js'

/** To all processes but number 1 and the sender: number 1 would pass it to its own child only. */
const TERMINATE_ALL = ['sh', '-c', 'kill -TERM -1']

/**
 * Ends what runs in the container: SIGTERM to each process, SIGKILL after `graceSeconds`; returns when they are gone
 * (runner protocol, 6.1). An engine that does not answer is tried again and then left to `removeContainer`.
 */
export async function stopContainer(
  container: Container,
  graceSeconds: number,
  logger: Logger,
): Promise<void> {
  await terminateAll(container, logger)
  await retryOrLog(() => stopOnce(container, graceSeconds), {
    attempts: 5,
    logger,
    about: { container: container.id },
    problem: 'the container of a job cannot be stopped',
  })
}

/** A container whose processes ended between the abort and now refuses; stopping it says the rest. */
async function terminateAll(container: Container, logger: Logger): Promise<void> {
  try {
    const execution = await container.exec({ Cmd: TERMINATE_ALL })
    const answer = await execution.start({ Detach: true })
    answer.resume() // unread, it would hold its connection open for ever
  } catch (error) {
    logger.debug({ container: container.id, error: messageOf(error) }, 'no SIGTERM to the processes of a job')
  }
}

async function stopOnce(container: Container, graceSeconds: number): Promise<void> {
  try {
    await container.stop({ t: graceSeconds })
  } catch (error) {
    if (!isStopped(error)) throw error
  }
}

function isStopped(error: unknown): boolean {
  return isNotFound(error) || messageOf(error).includes('HTTP code 304')
}

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
  await retryOrLog(() => removeOnce(container, keepVolumes), {
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
