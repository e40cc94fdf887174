import type Docker from 'dockerode'
import type { Container } from 'dockerode'

import type { JobLog } from '../../../trace/job-log.js'
import type { ExecutorError, ExecutorJob } from '../../executor.js'
import { isCommandMissing, serviceNotStarted } from '../../image-failure.js'
import type { EngineCapabilities } from '../capabilities/capabilities.js'
import { createContainer } from '../containers/create-container.js'
import { engineFailure, engineWords, statusOf } from '../engine.js'
import type { ServicesRecord } from '../environment-record.js'
import type { FoundImage } from '../images/find-image.js'
import { withImage } from '../images/with-image.js'
import type { NetworkPlan } from '../network/network-plan.js'
import type { DockerExecutorSettings } from '../settings.js'
import type { PlannedService } from './plan-services.js'
import type { ServiceHost } from './running-services.js'
import { serviceOptions } from './service-options.js'
import { type ContainerFacts, containerFacts } from './until-ready.js'

export interface ServiceParts extends ServiceHost {
  settings: DockerExecutorSettings
  engine: Pick<EngineCapabilities, 'isRootless' | 'resolvesNames' | 'checksHealthOnRequest'>
  findImage: (image: ServiceImage, log: JobLog, signal: AbortSignal) => Promise<FoundImage>
  /** ID of the job's image, which contains a shell. */
  jobImageId: string
}

interface ServiceImage {
  name: string
  /** The request of the job. The settings decide. */
  pullPolicy: string[] | undefined
  platform: string | undefined
}

/** The context for starting the services of one job. */
export interface ServiceWork {
  parts: ServiceParts
  job: ExecutorJob
  log: JobLog
  signal: AbortSignal
  network: NetworkPlan
  namePrefix: string
  /** The objects created so far, for removal. */
  made: Pick<ServicesRecord, 'containers' | 'networkId'>
}

/** A service that is created and not started. */
export interface CreatedService {
  planned: PlannedService
  container: Container
  /** Name of the container. */
  name: string
}

/** Obtains the image of the service and creates its container, which is recorded in `made` at once. */
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

/** `NONE` disables the health check of the base image. */
async function hasCheck(docker: Docker, imageId: string): Promise<boolean> {
  const { Config: config } = await docker.getImage(imageId).inspect()
  const test = config.Healthcheck?.Test ?? []
  return test.length > 0 && test[0] !== 'NONE'
}

export interface StartedService extends CreatedService {
  facts: ContainerFacts
}

/** Throws an `ExecutorError` if the service cannot be started at all. */
export async function startService(service: CreatedService): Promise<StartedService> {
  const { container, planned } = service
  try {
    await container.start()
    const facts = containerFacts(await container.inspect(), planned.request.environment)
    return { ...service, facts }
  } catch (error) {
    throw startFailure(error, planned.request.name)
  }
}

function startFailure(error: unknown, image: string): ExecutorError {
  const words = engineWords(error)
  if (statusOf(error) === undefined || !isFaultOfImage(words)) {
    return engineFailure(error, `starting the service "${image}"`)
  }
  return serviceNotStarted(image, words, error)
}

/** Wider than for jobs, whose containers mount files of the runner too: these must not be taken for those of the image. */
function isFaultOfImage(words: string): boolean {
  return isCommandMissing(words) || /no such file or directory|permission denied/i.test(words)
}
