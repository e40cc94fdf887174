import type { Container } from 'dockerode'

import type { JobLog } from '../../../trace/job-log.js'
import { engineFailure } from '../engine.js'
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
  const image = await parts.findImage(
    { name: request.name, pullPolicy: request.pullPolicy, platform: request.platform },
    log,
    signal,
  )
  signal.throwIfAborted()
  const { settings } = parts
  try {
    const { Config: config } = await parts.docker.getImage(image.id).inspect()
    const hasHealthCheck = isCheck(config.Healthcheck?.Test)
    const options = serviceOptions({
      job,
      settings,
      service,
      network,
      imageId: image.id,
      hasHealthCheck,
      namePrefix,
    })
    const container = await parts.docker.createContainer(options)
    made.containers.push({ id: container.id, aliases })
    return { planned: service, container, name: options.name ?? container.id }
  } catch (error) {
    throw engineFailure(error, `creating the service "${request.name}"`)
  }
}

/** `NONE` switches off the check that the base image had. */
function isCheck(test: string[] | undefined): boolean {
  return test !== undefined && test.length > 0 && test[0] !== 'NONE'
}
