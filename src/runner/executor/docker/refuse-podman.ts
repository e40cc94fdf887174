import type Docker from 'dockerode'

import { ExecutorError } from '../executor.js'

/**
 * Throws an `ExecutorError` if the engine is Podman, which responds at the same API. Every job would fail there, because
 * Podman has neither the log driver nor the readiness of services that jobs need.
 */
export async function refusePodman(docker: Docker): Promise<void> {
  const { Components: components } = await docker.version()
  const podman = components.find(({ Name }) => Name === 'Podman Engine')
  if (!podman) return
  throw new ExecutorError(
    `The engine is Podman ${podman.Version}, but jobs run on Docker engines only. Name the socket of a Docker engine ` +
      '(host under [runners.docker], or DOCKER_HOST).',
    'runner_system_failure',
  )
}
