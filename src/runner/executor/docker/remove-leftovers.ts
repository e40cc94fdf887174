import type { ExecutorJob } from '../executor.js'
import { engineFailure } from './engine.js'
import { labelsToFindJob, ownLabels } from './labels.js'
import { removeNetwork } from './network/build-network.js'
import { removeContainer } from './remove-container.js'
import type { ServiceHost } from './services/running-services.js'
import type { DockerExecutorSettings } from './settings.js'

/** Removes the containers and networks of every job of this runner. Throws an `ExecutorError` when the engine fails. */
export async function removeLeftovers(host: ServiceHost, settings: DockerExecutorSettings): Promise<void> {
  await removeLabelled(host, ownLabels(settings), 'looking for containers of earlier jobs')
}

/** As `removeLeftovers`, of one job: what a try to prepare it left when the process was killed. */
export async function removeLeftoversOfJob(
  host: ServiceHost,
  job: ExecutorJob,
  settings: DockerExecutorSettings,
): Promise<void> {
  await removeLabelled(
    host,
    labelsToFindJob(job, settings),
    'looking for what an earlier try of the job left',
  )
}

async function removeLabelled(
  { docker, logger, keepVolumes = false }: ServiceHost,
  labels: string[],
  doing: string,
): Promise<void> {
  try {
    const filters = { label: labels }
    const containers = await docker.listContainers({ all: true, filters })
    await Promise.all(
      containers.map(({ Id }) => removeContainer(docker.getContainer(Id), logger, { keepVolumes })),
    )
    const networks = await docker.listNetworks({ filters })
    await Promise.all(networks.map(({ Id }) => removeNetwork(docker, Id, logger)))
  } catch (error) {
    throw engineFailure(error, doing)
  }
}
