import type { ExecutorJob } from '../executor.js'
import { engineFailure } from './engine.js'
import { jobIdIn, labelsToFindJob, ownLabels } from './labels.js'
import { removeNetwork } from './network/build-network.js'
import { removeContainer } from './remove-container.js'
import type { ServiceHost } from './services/running-services.js'
import type { DockerExecutorSettings } from './settings.js'

/**
 * Removes the containers and networks of every job of this runner but those of `kept`. Throws an `ExecutorError` when
 * the engine fails.
 */
export async function removeLeftovers(
  host: ServiceHost,
  settings: DockerExecutorSettings,
  kept: ReadonlySet<number>,
): Promise<void> {
  await removeLabelled(host, ownLabels(settings), kept, 'looking for containers of earlier jobs')
}

/** As `removeLeftovers`, of one job: what a try to prepare it left when the process was killed. */
export async function removeLeftoversOfJob(
  host: ServiceHost,
  job: ExecutorJob,
  settings: DockerExecutorSettings,
): Promise<void> {
  const labels = labelsToFindJob(job, settings)
  await removeLabelled(host, labels, new Set(), 'looking for what an earlier try of the job left')
}

async function removeLabelled(
  { docker, logger, keepVolumes = false }: ServiceHost,
  labels: string[],
  kept: ReadonlySet<number>,
  doing: string,
): Promise<void> {
  const filters = { label: labels }
  const isWanted = ({ Labels: found }: { Labels?: Record<string, string> }) => !kept.has(jobIdIn(found ?? {}))
  try {
    const containers = (await docker.listContainers({ all: true, filters })).filter(isWanted)
    await Promise.all(
      containers.map(({ Id }) => removeContainer(docker.getContainer(Id), logger, { keepVolumes })),
    )
    const networks = (await docker.listNetworks({ filters })).filter(isWanted)
    await Promise.all(networks.map(({ Id }) => removeNetwork(docker, Id, logger)))
  } catch (error) {
    throw engineFailure(error, doing)
  }
}
