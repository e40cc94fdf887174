import type { ExecutorJob } from '../executor.js'
import { jobIdIn, labelsToFindJob, ownLabels } from './containers/labels.js'
import { removeContainer } from './containers/remove-container-and-volumes.js'
import { engineFailure } from './engine.js'
import { removeNetwork } from './network/build-network.js'
import type { ServiceHost } from './services/running-services.js'
import type { DockerExecutorSettings } from './settings.js'

/**
 * Removes the containers and networks of all jobs of this runner, except those in `kept`. Throws an `ExecutorError`
 * if the engine fails.
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
 * Like `removeLeftovers` for one job: removes what an interrupted preparation left behind. `kept` has the IDs of
 * the containers and networks to keep.
 */
export async function removeLeftoversOfJob(
  host: ServiceHost,
  job: ExecutorJob,
  settings: DockerExecutorSettings,
  kept: readonly string[] = [],
): Promise<void> {
  const isKept = ({ Id: id }: Labelled) => kept.includes(id)
  const doing = 'looking for leftovers of an earlier attempt of the job'
  await removeLabelled(host, labelsToFindJob(job, settings), isKept, doing)
}

/** A container or a network in a list of the engine. */
interface Labelled {
  Id: string
  Labels?: Record<string, string>
}

async function removeLabelled(
  { docker, logger, keepVolumes = false }: ServiceHost,
  labels: string[],
  isKept: (item: Labelled) => boolean,
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
