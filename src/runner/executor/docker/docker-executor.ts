import type Docker from 'dockerode'
import type { Container } from 'dockerode'

import type { Logger } from '../../../lib/logger.js'
import type { JobLog } from '../../trace/job-log.js'
import { ExecutorError } from '../errors.js'
import type { ContainerPlace, EnvironmentRecord, Executor, ExecutorJob, JobEnvironment } from '../executor.js'
import { containerOptions, isEntrypointRefused } from './container-options.js'
import { connectEngine, engineFailure, untilEngineAnswers } from './engine.js'
import type { DockerRecord } from './environment-record.js'
import { findImage, type FoundImage, type ImageFinder } from './find-image.js'
import { isImageAllowed, withDefaultTag } from './image-name.js'
import { JobContainer } from './job-container.js'
import { jobIdIn, ownLabels } from './labels.js'
import { NEVER_STARTED } from './never-started.js'
import { effectivePullPolicies } from './pull-policy.js'
import { removeContainer } from './remove-container.js'
import type { DockerExecutorSettings } from './settings.js'
import { SharedPulls } from './shared-pulls.js'

const DEFAULT_STOP_GRACE_SECONDS = 10
/** Longer than an engine takes to restart. */
const DEFAULT_ENGINE_AWAY_SECONDS = 120
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
    private readonly docker: Docker,
    private readonly settings: DockerExecutorSettings,
    private readonly logger: Logger,
  ) {
    this.images = { docker, pulls: new SharedPulls(docker), retryDelay: PULL_RETRY_MILLISECONDS }
  }

  async prepare(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<JobEnvironment> {
    const image = await this.findJobImage(job, log, signal)
    signal.throwIfAborted()
    if (isEntrypointRefused({ job, settings: this.settings })) log.warning('Entrypoint override disabled')
    return this.environment(job, {
      imageId: image.id,
      imageName: image.name,
      printed: 0,
      startedBefore: NEVER_STARTED,
    })
  }

  async adopt(job: ExecutorJob, record: EnvironmentRecord): Promise<JobEnvironment> {
    // It brings the schema library along: a runner that only waits does without the memory.
    const { readRecord } = await import('./environment-record.js')
    const known = readRecord(record)
    // An engine that is restarted together with the runner may come back later.
    await untilEngineAnswers(this.docker, this.engineAwaySeconds * 1000)
    const found = await this.ownContainers()
    const strays = found.filter(({ jobId, id }) => jobId === job.jobId && id !== known.containerId)
    await Promise.all(strays.map(({ id }) => this.remove(id)))
    return this.environment(job, known)
  }

  async removeLeftovers(kept: ReadonlySet<number>): Promise<void> {
    const found = await this.ownContainers()
    await Promise.all(found.filter(({ jobId }) => !kept.has(jobId)).map(({ id }) => this.remove(id)))
  }

  async ping(): Promise<void> {
    try {
      await this.docker.ping()
    } catch (error) {
      throw engineFailure(error, 'being asked whether it is there')
    }
  }

  private get engineAwaySeconds(): number {
    return this.settings.engineAwaySeconds ?? DEFAULT_ENGINE_AWAY_SECONDS
  }

  private environment(job: ExecutorJob, record: DockerRecord): JobEnvironment {
    const image = { id: record.imageId, name: record.imageName }
    const parts = {
      docker: this.docker,
      logger: this.logger,
      stopGraceSeconds: this.settings.stopGraceSeconds ?? DEFAULT_STOP_GRACE_SECONDS,
      engineAwaySeconds: this.engineAwaySeconds,
      create: (place: ContainerPlace, withInit: boolean) => this.create(job, place, image, withInit),
    }
    return new JobContainer(parts, record)
  }

  private async ownContainers(): Promise<{ id: string; jobId: number }[]> {
    try {
      const filters = { label: ownLabels(this.settings) }
      const found = await this.docker.listContainers({ all: true, filters })
      return found.map(({ Id: id, Labels: labels }) => ({ id, jobId: jobIdIn(labels) }))
    } catch (error) {
      throw engineFailure(error, 'looking for containers of earlier jobs')
    }
  }

  private async remove(id: string): Promise<void> {
    await removeContainer(this.docker.getContainer(id), this.logger)
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

  private async create(
    job: ExecutorJob,
    place: ContainerPlace,
    image: Pick<FoundImage, 'id' | 'name'>,
    withInit: boolean,
  ): Promise<Container> {
    this.withInit &&= withInit
    const options = containerOptions({
      job,
      place,
      settings: this.settings,
      imageId: image.id,
      withInit: this.withInit,
    })
    try {
      return await this.docker.createContainer(options)
    } catch (error) {
      throw engineFailure(error, `creating the container of the image "${image.name}"`)
    }
  }
}
