import type Docker from 'dockerode'
import type { Container } from 'dockerode'

import type { JobLog } from '../../../trace/job-log.js'
import { createContainer } from '../containers/create-container.js'
import { engineFailure } from '../engine.js'
import { withImage } from '../images/with-image.js'
import type { PlannedService } from './plan-services.js'
import { serviceOptions } from './service-options.js'
import type { ServiceWork } from './service-work.js'

/** A service that waits to be started. */
export interface CreatedService {
  planned: PlannedService
  container: Container
  /** Of the container. */
  name: string
}

/** Gets the image of the service and makes its container, which is noted in `made` at once. */
export async function createService(
  { parts, job, network, namePrefix, made }: ServiceWork,
  service: PlannedService,
  log: JobLog,
  signal: AbortSignal,
): Promise<CreatedService> {
  const { request, aliases, name } = service
  log.plain(`Starting service ${name.title}...`)
  const find = () => parts.findImage(request, log, signal)
  try {
    const { result } = await withImage(find, async (image) => {
      signal.throwIfAborted()
      const hasHealthCheck = await hasCheck(parts.docker, image.id)
      const plan = { job, settings: parts.settings, service, network, imageId: image.id, namePrefix }
      const options = serviceOptions({ ...plan, hasHealthCheck })
      const container = await createContainer(parts.docker, options)
      made.containers.push({ id: container.id, aliases })
      return { planned: service, container, name: options.name ?? container.id }
    })
    return result
  } catch (error) {
    signal.throwIfAborted()
    throw engineFailure(error, `creating the service "${request.name}"`)
  }
}

/** `NONE` switches off the check that the base image had. */
async function hasCheck(docker: Docker, imageId: string): Promise<boolean> {
  const { Config: config } = await docker.getImage(imageId).inspect()
  const test = config.Healthcheck?.Test ?? []
  return test.length > 0 && test[0] !== 'NONE'
}
