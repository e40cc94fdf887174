import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'

import type Docker from 'dockerode'
import type { Container, ContainerCreateOptions } from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import { listCacheVolumes } from '../volumes/volume-plan.js'
import { containerOptions, type ContainerPlan } from './container-options.js'
import { removeContainer } from './remove-container-and-volumes.js'
import { withoutAbsent } from './resource-limits.js'

/**
 * Creates the container of a job without starting it, and makes its cache volumes writable for every user (runner
 * protocol, 7.4). If it fails, it leaves nothing behind except volumes that the next job of the project uses.
 */
export async function createPlannedContainer(
  docker: Docker,
  plan: ContainerPlan,
  logger: Logger,
): Promise<Container> {
  const container = await createContainer(docker, containerOptions(plan))
  try {
    for (const { containerPath } of listCacheVolumes(plan)) await openToAll(container, containerPath)
    return container
  } catch (error) {
    await removeContainer(container, logger)
    throw error
  }
}

/** A new volume belongs to root. Unpacking its directory over it changes only its mode. */
async function openToAll(container: Container, path: string): Promise<void> {
  // Loaded on demand, because few jobs have such volumes.
  const { pack } = await import('tar-stream')
  const archive = pack()
  archive.entry({ name: posix.basename(path), type: 'directory', mode: 0o777 })
  archive.finalize()
  await container.putArchive(await buffer(archive), { path: posix.dirname(path) })
}

/**
 * Creates a container. The client's own call would also put all options into the URL. There, the variables of a job
 * can exceed the limits of the engine, and are visible to anything that logs requests.
 */
export async function createContainer(
  docker: Docker,
  { name, platform, ...body }: ContainerCreateOptions,
): Promise<Container> {
  const request: ContainerCreateOptions & { _query: object; _body: object } = {
    _query: withoutAbsent({ name, platform }),
    _body: body,
  }
  return await docker.createContainer(request)
}

/** `State.StartedAt` of a container that was never started. */
export const NEVER_STARTED = '0001-01-01T00:00:00Z'
