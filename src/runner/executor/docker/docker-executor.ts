import type Docker from 'dockerode'
import type { Container } from 'dockerode'

import type { Logger } from '../../../lib/logger.js'
import type { JobLog } from '../../trace/job-log.js'
import { ExecutorError } from '../errors.js'
import type { Executor, ExecutorJob, JobEnvironment } from '../executor.js'
import { readExecutorOptions } from '../executor-options.js'
import { connectEngine } from './connect-engine.js'
import { isEntrypointRefused } from './container-options.js'
import { credentialSources } from './credentials/credential-sources.js'
import { engineFailure } from './engine.js'
import { findImage, type FoundImage } from './find-image.js'
import { imageOf, isImageAllowed, withDefaultTag } from './image-name.js'
import { JobContainer } from './job-container.js'
import { jobUser } from './job-user.js'
import { ownLabels } from './labels.js'
import { makeContainer } from './make-container.js'
import { PrivateImages } from './private-images.js'
import { effectivePullPolicies } from './pull-policy.js'
import { removeContainer } from './remove-container.js'
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
    const { image, container } = await this.createFromImage(job, log, signal)
    const environment = new JobContainer({
      docker: this.docker,
      container,
      image: image.name,
      stopGraceSeconds: this.settings.stopGraceSeconds ?? DEFAULT_STOP_GRACE_SECONDS,
      keepVolumes: this.settings.volumeKeep ?? false,
      logger: this.logger,
      recreateWithoutInit: () => this.recreateWithoutInit(job, image),
    })
    if (signal.aborted) await environment.cleanUp()
    signal.throwIfAborted()
    return environment
  }

  async removeLeftovers(): Promise<void> {
    try {
      const filters = { label: ownLabels(this.settings) }
      const found = await this.docker.listContainers({ all: true, filters })
      await Promise.all(found.map(({ Id: id }) => this.remove(id)))
    } catch (error) {
      throw engineFailure(error, 'looking for containers of earlier jobs')
    }
  }

  private async remove(id: string): Promise<void> {
    const keepVolumes = this.settings.volumeKeep ?? false
    await removeContainer(this.docker.getContainer(id), this.logger, { keepVolumes })
  }

  private async createFromImage(job: ExecutorJob, log: JobLog, signal: AbortSignal) {
    jobUser(job, this.settings) // one that is not allowed is refused before anything is pulled
    try {
      const find = () => this.findJobImage(job, log, signal)
      const { image, result } = await withImage(find, (found) => this.make(job, found))
      return { image, container: result }
    } catch (error) {
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
    const finder = {
      docker: this.docker,
      pulls: this.pulls,
      retryDelay: PULL_RETRY_MILLISECONDS,
      privateImages: this.privateImages,
      credentials: await credentialSources(job, this.settings, log),
      platform: readExecutorOptions(job.image?.executor_opts, 'image').platform,
    }
    return await findImage(finder, withDefaultTag(name), policies, log, signal)
  }

  private async make(job: ExecutorJob, image: FoundImage): Promise<Container> {
    const plan = { job, settings: this.settings, imageId: image.id, withInit: this.withInit }
    return await makeContainer(this.docker, plan, this.logger)
  }

  private async recreateWithoutInit(job: ExecutorJob, image: FoundImage): Promise<Container> {
    this.withInit = false
    try {
      return await this.make(job, image)
    } catch (error) {
      throw engineFailure(error, `creating the container of the image "${image.name}"`)
    }
  }
}
