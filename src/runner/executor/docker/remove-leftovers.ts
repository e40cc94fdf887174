import type { ExecutorJob } from '../executor.js'
import { jobIdIn, labelsToFindJob, ownLabels } from './containers/labels.js'
import { removeContainer } from './containers/remove-container.js'
import { engineFailure } from './engine.js'
import { removeNetwork } from './network/build-network.js'
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
  const isKept = ({ Labels: labels = {} }: Labelled) => kept.has(jobIdIn(labels))
  await removeLabelled(host, ownLabels(settings), isKept, 'looking for containers of earlier jobs')
}

/**
 * As `removeLeftovers`, of one job: what a try to prepare it left when the process was killed, except the containers and
 * networks of `kept`, by their ids.
 */
export async function removeLeftoversOfJob(
  host: ServiceHost,
  job: ExecutorJob,
  settings: DockerExecutorSettings,
  kept: readonly string[] = [],
): Promise<void> {
  const isKept = ({ Id: id }: Labelled) => kept.includes(id)
  const doing = 'looking for what an earlier try of the job left'
  await removeLabelled(host, labelsToFindJob(job, settings), isKept, doing)
}

/** A container or a network, as the engine lists it. */
interface Labelled {
  Id: string
  Labels?: Record<string, string>
}

async function removeLabelled(
  { docker, logger, keepVolumes = false }: ServiceHost,
  labels: string[],
  isKept: (thing: Labelled) => boolean,
  doing: string,
): Promise<void> {
  const filters = { label: labels }
  try {
    const containers = (await docker.listContainers({ all: true, filters })).filter((each) => !isKept(each))
    await Promise.all(
      containers.map(({ Id }) => removeContainer(docker.getContainer(Id), logger, { keepVolumes })),
    )
    const networks = (await docker.listNetworks({ filters })).filter((each) => !isKept(each))
    await Promise.all(networks.map(({ Id }) => removeNetwork(docker, Id, logger)))
  } catch (error) {
    throw engineFailure(error, doing)
  }
}
