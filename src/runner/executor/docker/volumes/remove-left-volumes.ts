import type Docker from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import { jobIdIn, ownWorkspaceLabels } from '../containers/labels.js'
import { engineFailure } from '../engine.js'
import type { DockerExecutorSettings } from '../settings.js'
import { removeVolume } from './remove-volume.js'

/** Removes the volumes of jobs that killed runners left, except those of `kept`. Their containers are gone by then. */
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
