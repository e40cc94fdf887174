import type { Container } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { isNotFound, statusOf } from '../engine.js'
import { retryOrLog } from '../retry-or-log.js'

/**
 * Sends SIGTERM to all processes except process 1 and the sender. Process 1 would forward it only to its own child.
 */
const TERMINATE_ALL = ['sh', '-c', 'kill -TERM -1']

/**
 * Stops the processes of the container: SIGTERM to each, SIGKILL after `graceSeconds`. Returns when they have ended
 * (runner protocol, 6.1). If the engine does not respond, retries and then leaves the container to
 * `removeContainer`.
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

/** The engine refuses this if the processes ended in the meantime. Stopping the container reports other errors. */
async function terminateAll(container: Container, logger: Logger): Promise<void> {
  try {
    const execution = await container.exec({ Cmd: TERMINATE_ALL })
    const response = await execution.start({ Detach: true })
    response.resume() // an unread response would hold its connection open
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

/** Ends all processes of the container with SIGKILL. It is no error if they have ended. */
export async function killContainer(container: Container): Promise<void> {
  try {
    await container.kill()
  } catch (error) {
    if (!(await hasEnded(container, error))) throw error
  }
}

const CONFLICT = 409

/** Whether a container could not be killed because it has ended. Podman reports that as a failure of its own. */
async function hasEnded(container: Container, error: unknown): Promise<boolean> {
  if (isNotFound(error) || statusOf(error) === CONFLICT) return true
  if (statusOf(error) === undefined) return false
  try {
    return !(await container.inspect()).State.Running
  } catch (failure) {
    if (isNotFound(failure)) return true
    throw error
  }
}

/**
 * Removes a container, even a running one, with its anonymous volumes unless they are to be kept. A container that
 * no longer exists is not an error. Failures are logged and left to the cleanup at the next start of the runner,
 * because the result of the job does not depend on them.
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
