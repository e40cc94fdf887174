import type Docker from 'dockerode'
import type { Container, ContainerCreateOptions } from 'dockerode'

import { withoutAbsent } from './without-absent.js'

/**
 * Creates a container. The client would write all of the options into the address as well, where a job's variables
 * are too long for the engine, and are seen by whatever logs requests.
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
