import type Docker from 'dockerode'
import type { Container } from 'dockerode'

import type { Logger } from '../../../lib/logger.js'
import type { JobLog } from '../../trace/job-log.js'
import { ExecutorError } from '../errors.js'
import type { Executor, ExecutorJob, JobEnvironment } from '../executor.js'
import { containerOptions, type ContainerPlan, isEntrypointRefused } from './container-options.js'
import { connectEngine, engineFailure } from './engine.js'
import { findImage, type FoundImage, type ImageFinder } from './find-image.js'
import { isImageAllowed, withDefaultTag } from './image-name.js'
import { JobContainer } from './job-container.js'
import { effectivePullPolicies } from './pull-policy.js'
import { removeLeftovers } from './remove-leftovers.js'
import type { Services } from './services/running-services.js'
import type { ServiceParts } from './services/service-work.js'
import { startServices } from './services/start-services.js'
import type { DockerExecutorSettings } from './settings.js'
import { SharedPulls } from './shared-pulls.js'

const DEFAULT_STOP_GRACE_SECONDS = 10
const PULL_RETRY_MILLISECONDS = 2000

/** Runs each job in one container of a Docker engine. Nothing is asked of the engine before the first call. */
export function createDockerExecutor(settings: DockerExecutorSettings, logger: Logger): Executor {
  return new DockerExecutor(connectEngine(settings.host), settings, logger)
}

class DockerExecutor implements Executor {
  private readonly images: ImageFinder
  /** Until an engine says that it has no init process. */
  private withInit = true

  constructor(
    readonly docker: Docker,
    private readonly settings: DockerExecutorSettings,
    readonly logger: Logger,
  ) {
    this.images = { docker, pulls: new SharedPulls(docker), retryDelay: PULL_RETRY_MILLISECONDS }
  }

  async prepare(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<JobEnvironment> {
    const image = await this.findJobImage(job, log, signal)
    if (isEntrypointRefused({ job, settings: this.settings })) log.warning('Entrypoint override disabled')
    const services = await this.startServices(job, image, log, signal)
    const container = await this.createBeside(services, job, image)
    const environment = new JobContainer({
      docker: this.docker,
      container,
      image: image.name,
      stopGraceSeconds: this.settings.stopGraceSeconds ?? DEFAULT_STOP_GRACE_SECONDS,
      logger: this.logger,
      recreateWithoutInit: () => this.recreateWithoutInit(job, image, services),
      services,
    })
    if (signal.aborted) await environment.cleanUp()
    signal.throwIfAborted()
    return environment
  }

  async removeLeftovers(): Promise<void> {
    await removeLeftovers(this, this.settings)
  }

  private async findJobImage(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<FoundImage> {
    const name = job.image?.name || this.settings.image
    log.plain(`Using Docker executor with image ${name} ...`)
    const allowed = this.settings.allowedImages ?? []
    if (!isImageAllowed(name, allowed, this.settings.image)) {
      const list = allowed.map((pattern) => `"${pattern}"`).join(', ')
      const message = `The image "${name}" is not one that the runner allows: ${list}`
      throw new ExecutorError(message, 'runner_configuration_error')
    }
    const policies = effectivePullPolicies(job.image?.pull_policy, this.settings)
    return await findImage(this.images, withDefaultTag(name), policies, log, signal)
  }

  private async startServices(
    job: ExecutorJob,
    image: FoundImage,
    log: JobLog,
    signal: AbortSignal,
  ): Promise<Services> {
    const { docker, settings, logger } = this
    const findServiceImage: ServiceParts['findImage'] = ({ name, pullPolicy }, log, signal) =>
      findImage(this.images, withDefaultTag(name), effectivePullPolicies(pullPolicy, settings), log, signal)
    const parts = { docker, settings, logger, findImage: findServiceImage, jobImageId: image.id }
    return await startServices(parts, job, log, signal)
  }

  private async createBeside(services: Services, job: ExecutorJob, image: FoundImage): Promise<Container> {
    try {
      return await this.create(job, image, services)
    } catch (error) {
      await services.cleanUp()
      throw error
    }
  }

  private async create(job: ExecutorJob, image: FoundImage, services: Services): Promise<Container> {
    const plan: ContainerPlan = {
      ...{ job, settings: this.settings, imageId: image.id, withInit: this.withInit },
      connection: services.connection,
    }
    const options = containerOptions(plan)
    try {
      return await this.docker.createContainer(options)
    } catch (error) {
      throw engineFailure(error, `creating the container of the image "${image.name}"`)
    }
  }

  private async recreateWithoutInit(
    job: ExecutorJob,
    image: FoundImage,
    services: Services,
  ): Promise<Container> {
    this.withInit = false
    return await this.create(job, image, services)
  }
}
