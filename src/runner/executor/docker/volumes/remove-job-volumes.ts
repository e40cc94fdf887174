import type Docker from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import { jobIdIn, ownWorkspaceLabels } from '../containers/labels.js'
import { engineFailure, isNotFound } from '../engine.js'
import { retryOrLog } from '../retry-or-log.js'
import type { DockerExecutorSettings } from '../settings.js'

/**
 * Removes the volumes of jobs that killed runners left behind, except for the jobs in `kept`. Their containers are
 * already removed.
 */
export async function removeLeftVolumes(
  docker: Docker,
  settings: DockerExecutorSettings,
  logger: Logger,
  kept: ReadonlySet<number>,
): Promise<void> {
  const left = (await findVolumes(docker, settings)).filter(({ jobId }) => !kept.has(jobId))
  await Promise.all(left.map(({ name }) => removeVolume(docker, name, logger)))
}

async function findVolumes(
  docker: Docker,
  settings: DockerExecutorSettings,
): Promise<{ name: string; jobId: number }[]> {
  try {
    const filters = JSON.stringify({ label: ownWorkspaceLabels(settings) })
    const { Volumes: volumes } = await docker.listVolumes({ filters })
    return volumes.map(({ Name: name, Labels: labels }) => ({ name, jobId: jobIdIn(labels) }))
  } catch (error) {
    throw engineFailure(error, 'looking for volumes of earlier jobs')
  }
}

/**
 * Removes an unused volume. A volume that no longer exists is not an error. Failures are logged and left to the
 * cleanup at the next start of the runner.
 */
export async function removeVolume(docker: Docker, name: string, logger: Logger): Promise<void> {
  await retryOrLog(() => removeOnce(docker, name), {
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
