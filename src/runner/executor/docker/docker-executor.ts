import type Docker from 'dockerode'
import type { Container } from 'dockerode'

import type { Logger } from '../../../lib/logger.js'
import type { JobLog } from '../../trace/job-log.js'
import { ExecutorError } from '../errors.js'
import type { Executor, ExecutorJob, JobEnvironment } from '../executor.js'
import { readExecutorOptions } from '../executor-options.js'
import { connectEngine } from './connect-engine.js'
import { isEntrypointRefused } from './container-options.js'
import { type CredentialSource, credentialSources } from './credentials/credential-sources.js'
import { engineFailure } from './engine.js'
import { findImage, type FoundImage, type ImageFinder } from './find-image.js'
import { imageOf, isImageAllowed, withDefaultTag } from './image-name.js'
import { JobContainer } from './job-container.js'
import { jobUser } from './job-user.js'
import { makeContainer } from './make-container.js'
import { PrivateImages } from './private-images.js'
import { effectivePullPolicies } from './pull-policy.js'
import { removeLeftovers } from './remove-leftovers.js'
import type { ServiceHost, Services } from './services/running-services.js'
import type { ServiceParts } from './services/service-work.js'
import { startServices } from './services/start-services.js'
import type { DockerExecutorSettings } from './settings.js'
import { SharedPulls } from './shared-pulls.js'
import { withImage } from './with-image.js'

const DEFAULT_STOP_GRACE_SECONDS = 10
const PULL_RETRY_MILLISECONDS = 2000

/** Runs each job in one container of a Docker engine. Nothing is asked of the engine before the first call. */
export function createDockerExecutor(settings: DockerExecutorSettings, logger: Logger): Executor {
  return new DockerExecutor(connectEngine(settings), settings, logger)
}

class DockerExecutor implements Executor {
  private readonly pulls: SharedPulls
  private readonly privateImages: PrivateImages
  /** Until an engine says that it has no init process. */
  private withInit = true

  constructor(
    private readonly docker: Docker,
    private readonly settings: DockerExecutorSettings,
    private readonly logger: Logger,
  ) {
    this.pulls = new SharedPulls(docker)
    this.privateImages = new PrivateImages(settings.privateImagesDir)
  }

  async prepare(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<JobEnvironment> {
    if (isEntrypointRefused({ job, settings: this.settings })) log.warning('Entrypoint override disabled')
    const { image, container, services } = await this.createFromImage(job, log, signal)
    const environment = new JobContainer({
      docker: this.docker,
      container,
      image: image.name,
      stopGraceSeconds: this.settings.stopGraceSeconds ?? DEFAULT_STOP_GRACE_SECONDS,
      keepVolumes: this.settings.volumeKeep ?? false,
      logger: this.logger,
      recreateWithoutInit: () => this.recreateWithoutInit(job, image, services),
      services,
    })
    if (signal.aborted) await environment.cleanUp()
    signal.throwIfAborted()
    return environment
  }

  async removeLeftovers(): Promise<void> {
    await removeLeftovers(this.serviceHost, this.settings)
  }

  private get serviceHost(): ServiceHost {
    const { docker, logger, settings } = this
    return { docker, logger, keepVolumes: settings.volumeKeep ?? false }
  }

  private async createFromImage(job: ExecutorJob, log: JobLog, signal: AbortSignal) {
    jobUser(job, this.settings) // one that is not allowed is refused before anything is pulled
    let services: Services | undefined
    try {
      const find = () => this.findJobImage(job, log, signal)
      const { image, result } = await withImage(find, async (found) => {
        services ??= await this.startServices(job, found, log, signal)
        return { services, container: await this.make(job, found, services) }
      })
      return { image, ...result }
    } catch (error) {
      await services?.cleanUp()
      signal.throwIfAborted()
      throw engineFailure(error, 'creating the container of the job')
    }
  }

  private async findJobImage(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<FoundImage> {
    const name = imageOf(job, this.settings)
    log.plain(`Using Docker executor with image ${name} ...`)
    const allowed = this.settings.allowedImages ?? []
    if (!isImageAllowed(name, allowed, imageOf({ ...job, image: undefined }, this.settings))) {
      const list = allowed.map((pattern) => `"${pattern}"`).join(', ')
      const message = `The image "${name}" is not one that the runner allows: ${list}`
      throw new ExecutorError(message, 'runner_configuration_error')
    }
    const policies = effectivePullPolicies(job.image?.pull_policy, this.settings)
    const platform = readExecutorOptions(job.image?.executor_opts, 'image').platform
    const finder = this.imageFinder(await credentialSources(job, this.settings, log), platform)
    return await findImage(finder, withDefaultTag(name), policies, log, signal)
  }

  private imageFinder(credentials: readonly CredentialSource[], platform: string | undefined): ImageFinder {
    const { docker, pulls, privateImages } = this
    return { docker, pulls, retryDelay: PULL_RETRY_MILLISECONDS, privateImages, credentials, platform }
  }

  private async startServices(
    job: ExecutorJob,
    image: FoundImage,
    log: JobLog,
    signal: AbortSignal,
  ): Promise<Services> {
    const { settings } = this
    const findServiceImage: ServiceParts['findImage'] = async (
      { name, pullPolicy, platform },
      log,
      signal,
    ) => {
      const finder = this.imageFinder(await credentialSources(job, settings, log), platform)
      const policies = effectivePullPolicies(pullPolicy, settings)
      return await findImage(finder, withDefaultTag(name), policies, log, signal)
    }
    const parts = { ...this.serviceHost, settings, findImage: findServiceImage, jobImageId: image.id }
    return await startServices(parts, job, log, signal)
  }

  private async make(job: ExecutorJob, image: FoundImage, services: Services): Promise<Container> {
    const { connection } = services
    const plan = { job, settings: this.settings, imageId: image.id, withInit: this.withInit, connection }
    return await makeContainer(this.docker, plan, this.logger)
  }

  private async recreateWithoutInit(
    job: ExecutorJob,
    image: FoundImage,
    services: Services,
  ): Promise<Container> {
    this.withInit = false
    try {
      return await this.make(job, image, services)
    } catch (error) {
      throw engineFailure(error, `creating the container of the image "${image.name}"`)
    }
  }
}
