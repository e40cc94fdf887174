import { randomBytes } from 'node:crypto'

import type Docker from 'dockerode'
import type { ContainerCreateOptions } from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import { createContainer } from '../containers/create-container.js'
import { lookupLabels } from '../containers/labels.js'
import { removeContainer } from '../containers/remove-container-and-volumes.js'
import { isInitMissing } from '../containers/start-failure.js'
import { engineWords, isNotFound, statusOf } from '../engine.js'
import { FileSharing } from '../file-sharing.js'
import { removeNetwork } from '../network/build-network.js'
import type { DockerExecutorSettings } from '../settings.js'
import type { EngineCapabilities } from './capabilities.js'
import type { EngineProbes } from './engine-report.js'

/** No image has this program: a container that is started with it runs nothing of its image. */
const NO_PROGRAM = '/switchyard-no-program'

/**
 * Tries at an engine what it does not say. Creates a network and containers, which it removes. Throws if the engine stops
 * responding.
 */
export async function probeEngine(
  docker: Docker,
  engine: EngineCapabilities,
  settings: DockerExecutorSettings,
  logger: Logger,
): Promise<Omit<EngineProbes, 'metadata' | 'isLocal'>> {
  const labels = lookupLabels(settings)
  const network = await tryNetwork(docker, labels, logger)
  const imageId = await findAnyImage(docker, settings.image)
  if (imageId === undefined) return { init: undefined, network, files: undefined }
  const files = new FileSharing(docker, { get: async () => engine }, settings, labels, logger)
  return {
    init: await tryInit(docker, imageId, labels, logger),
    network,
    files: await files.find(imageId),
  }
}

/** The image of the settings, else any image. Undefined if the engine has none. */
async function findAnyImage(docker: Docker, image: string): Promise<string | undefined> {
  try {
    return (await docker.getImage(image).inspect()).Id
  } catch (error) {
    if (!isNotFound(error)) throw error
    return (await docker.listImages())[0]?.Id
  }
}

async function tryInit(
  docker: Docker,
  imageId: string,
  labels: Record<string, string>,
  logger: Logger,
): Promise<boolean> {
  const options: ContainerCreateOptions = {
    Image: imageId,
    Entrypoint: [NO_PROGRAM],
    Cmd: [],
    Labels: labels,
    HostConfig: { Init: true, NetworkMode: 'none' },
  }
  try {
    const container = await createContainer(docker, options)
    try {
      await container.start()
    } finally {
      await removeContainer(container, logger)
    }
    return true
  } catch (error) {
    if (statusOf(error) === undefined) throw error
    // Any other refusal is that of the program which does not exist.
    return !isInitMissing(error)
  }
}

async function tryNetwork(
  docker: Docker,
  labels: Record<string, string>,
  logger: Logger,
): Promise<true | string> {
  try {
    const name = `switchyard-check-${randomBytes(4).toString('hex')}`
    const network = await docker.createNetwork({ Name: name, Driver: 'bridge', Labels: labels })
    await removeNetwork(docker, network.id, logger)
    return true
  } catch (error) {
    if (statusOf(error) === undefined) throw error
    return engineWords(error)
  }
}
