import type Docker from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { retry } from '../../../../lib/retry.js'
import { ExecutorError } from '../../executor.js'
import { removeContainer } from '../containers/remove-container-and-volumes.js'
import { engineFailure, engineWords, isNotFound } from '../engine.js'

/** Creates the network and returns its ID. `options` come from `networkOptions`. */
export async function createNetwork(docker: Docker, options: Docker.NetworkCreateOptions): Promise<string> {
  try {
    const network = await docker.createNetwork(options)
    return network.id
  } catch (error) {
    throw networkFailure(error)
  }
}

/** Converts an error of network creation, with a remedy for the administrator. */
export function networkFailure(error: unknown): ExecutorError {
  if (!isOutOfAddresses(engineWords(error))) return engineFailure(error, 'creating the network of the build')
  return new ExecutorError(
    `The Docker engine has no addresses left for another network (${engineWords(error)}). Remove networks that are ` +
      'not used ("docker network prune"), or give the engine more with "default-address-pools" in its daemon.json ' +
      '(Podman: default_subnet_pools in containers.conf); IPv6 needs a pool of its own there.',
    'runner_system_failure',
    { cause: error },
  )
}

/** The messages of Docker up to 26, of later ones, and of Podman. */
function isOutOfAddresses(words: string): boolean {
  return /non-overlapping IPv[46] address pool|predefined address pools have been fully subnetted|could not find free subnet/.test(
    words,
  )
}

/**
 * Removes the network and every container that is still in it (runner protocol, 7.11). Failures are logged and left
 * to the cleanup at the next start of the runner.
 */
export async function removeNetwork(docker: Docker, id: string, logger: Logger): Promise<void> {
  try {
    await retry(() => removeOnce(docker, id, logger), {
      attempts: 4,
      delay: 500,
      maximumDelay: 5000,
      isWorthRetrying: () => true,
    })
  } catch (error) {
    logger.error({ network: id, error: messageOf(error) }, 'the network of a job cannot be removed')
  }
}

async function removeOnce(docker: Docker, id: string, logger: Logger): Promise<void> {
  try {
    const members = await docker.listContainers({ all: true, filters: { network: [id] } })
    await Promise.all(members.map(({ Id }) => removeContainer(docker.getContainer(Id), logger)))
    await docker.getNetwork(id).remove()
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
