import type Docker from 'dockerode'
import type { Container } from 'dockerode'

import type { Logger } from '../../../lib/logger.js'
import type { JobLog } from '../../trace/job-log.js'
import type { FileOwner } from '../../workspace/workspace.js'
import {
  type ContainerWorkspace,
  type EnvironmentRecord,
  type Executor,
  ExecutorError,
  type ExecutorJob,
  type JobEnvironment,
  readExecutorOptions,
} from '../executor.js'
import { jobLogDriver } from './capabilities/capabilities.js'
import { KnownCapabilities } from './capabilities/read-capabilities.js'
import { connectEngine, isEngineLocal } from './connect-engine.js'
import { containerNamePrefix, workspaceVolumeName } from './containers/container-name.js'
import { type ContainerPlan, isEntrypointRefused } from './containers/container-options.js'
import { createPlannedContainer, NEVER_STARTED } from './containers/create-container.js'
import { JobContainer } from './containers/job-container.js'
import { lookupLabels } from './containers/labels.js'
import { isInitMissing } from './containers/start-failure.js'
import { credentialSources } from './credentials/credential-sources.js'
import { DiskMeter } from './disk-meter.js'
import { engineAwaySeconds } from './engine-patience.js'
import { engineFailure, pingEngine, untilEngineGone, untilEngineResponds } from './engine.js'
import type { DockerRecord } from './environment-record.js'
import { FileSharing } from './file-sharing.js'
import { findImage, type FoundImage } from './images/find-image.js'
import { imageOf, isImageAllowed, withDefaultTag } from './images/image-name.js'
import { PrivateImages } from './images/private-images.js'
import { effectivePullPolicies } from './images/pull-policy.js'
import { SharedPulls } from './images/shared-pulls.js'
import { withImage } from './images/with-image.js'
import { withMemoryDefaults } from './memory-defaults.js'
import { planOutput } from './output/plan-output.js'
import { removeLeftovers, removeLeftoversOfJob } from './remove-leftovers.js'
import { adoptServices, type ServiceHost, type Services } from './services/running-services.js'
import type { ServiceParts } from './services/service-container.js'
import { startServices } from './services/start-services.js'
import type { DockerExecutorSettings, PullPolicy } from './settings.js'
import { type UsageObserver, watchPulls } from './usage-observer.js'
import { jobUser } from './users/job-user.js'
import { UserResolver } from './users/resolve-user.js'
import { removeLeftVolumes } from './volumes/remove-job-volumes.js'
import { listCacheVolumes } from './volumes/volume-plan.js'

const DEFAULT_STOP_GRACE_SECONDS = 10
const PULL_RETRY_MILLISECONDS = 2000

type JobImage = Pick<FoundImage, 'id' | 'name'>

interface WantedImage {
  job: ExecutorJob
  name: string
  policies: PullPolicy[]
  platform: string | undefined
}

/**
 * Runs each job in one container of a Docker engine. Does not contact the engine before the first call. Each call throws
 * an `ExecutorError` while the settings or the environment name an engine that cannot be addressed.
 */
export function createDockerExecutor(
  settings: DockerExecutorSettings,
  logger: Logger,
  usage?: UsageObserver,
): Executor {
  let executor: DockerExecutor | undefined
  const connected = () => (executor ??= new DockerExecutor(connectEngine(settings), settings, logger, usage))
  return {
    prepare: async (job, log, signal) => connected().prepare(job, log, signal),
    adopt: async (job, record, log, signal) => connected().adopt(job, record, log, signal),
    removeLeftovers: async (kept) => connected().removeLeftovers(kept),
    ping: async (signal) => connected().ping(signal),
    disconnected: async (signal) => connected().disconnected(signal),
    get freeDiskBytes() {
      return executor?.freeDiskBytes
    },
  }
}

class DockerExecutor implements Executor {
  private readonly pulls: SharedPulls
  private readonly privateImages: PrivateImages
  private readonly users: UserResolver
  private readonly fileSharing: FileSharing
  private readonly capabilities: KnownCapabilities
  /** Only of another machine: this one has `[disk]`. */
  private readonly disk: DiskMeter | undefined
  /** False once the engine reported that it has no init process. */
  private withInit = true

  constructor(
    private readonly docker: Docker,
    private readonly settings: DockerExecutorSettings,
    private readonly logger: Logger,
    private readonly usage: UsageObserver | undefined,
  ) {
    this.pulls = new SharedPulls(docker, watchPulls(docker, usage))
    this.privateImages = new PrivateImages(settings.privateImagesDir)
    this.users = new UserResolver(docker, lookupLabels(settings), logger)
    this.capabilities = new KnownCapabilities(docker)
    if (!isEngineLocal(settings)) this.disk = new DiskMeter(logger)
    this.fileSharing = new FileSharing(docker, this.capabilities, settings, lookupLabels(settings), logger)
  }

  async prepare(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<JobEnvironment> {
    jobUser(job, this.settings) // refuses a user that is not allowed before anything is pulled
    const findAgain = () => this.findJobImage(job, log, signal)
    const image = await findAgain()
    signal.throwIfAborted()
    if (isEntrypointRefused({ job, settings: this.settings })) log.warning('Entrypoint override disabled')
    const owner = await this.ownerOf(job, image)
    const volume = await this.workspaceVolume(job, image)
    const services = await this.startServices(job, image, log, signal)
    const record = {
      imageId: image.id,
      imageName: image.name,
      printed: 0,
      startedBefore: NEVER_STARTED,
      services: services.record,
      ...(owner ? { owner } : {}),
      ...volume,
    }
    return this.environment(job, record, services, findAgain)
  }

  async adopt(
    job: ExecutorJob,
    record: EnvironmentRecord,
    log: JobLog,
    signal?: AbortSignal,
  ): Promise<JobEnvironment> {
    // Loaded on demand, because it brings in the schema library. An idle runner needs less memory without it.
    const { readRecord } = await import('./environment-record.js')
    const known = readRecord(record)
    // An engine that restarts together with the runner may need some time.
    await untilEngineResponds(this.docker, engineAwaySeconds(this.settings, job) * 1000, signal)
    signal?.throwIfAborted()
    const { containers, networkId } = known.services
    const kept = [known.containerId, networkId, ...containers.map(({ id }) => id)]
    await removeLeftoversOfJob(
      this.serviceHost,
      job,
      this.settings,
      kept.filter((id) => typeof id === 'string'),
    )
    return this.environment(job, known, adoptServices(this.serviceHost, known.services, log))
  }

  async removeLeftovers(kept: ReadonlySet<number>): Promise<void> {
    await removeLeftovers(this.serviceHost, this.settings, kept)
    await removeLeftVolumes(this.docker, this.settings, this.logger, kept)
  }

  /** The name of the volume for the files of a job, if it needs one. The volume is created with the container. */
  private async workspaceVolume(
    job: ExecutorJob,
    image: JobImage,
  ): Promise<Pick<DockerRecord, 'workspaceVolume'>> {
    if (await this.fileSharing.isShared(image.id)) return {}
    const { runnerShortToken } = this.settings
    const prefix = containerNamePrefix(runnerShortToken, job.projectId, job.concurrentProjectId)
    return { workspaceVolume: workspaceVolumeName(prefix) }
  }

  private get serviceHost(): ServiceHost {
    const { docker, logger, keepVolumes } = this
    return { docker, logger, keepVolumes }
  }

  async ping(signal?: AbortSignal): Promise<void> {
    try {
      await pingEngine(this.docker, signal)
    } catch (error) {
      this.capabilities.forget()
      this.withInit = true
      throw engineFailure(error, 'being pinged')
    }
  }

  async disconnected(signal: AbortSignal): Promise<void> {
    await untilEngineGone(this.docker, signal)
  }

  get freeDiskBytes(): number | undefined {
    return this.disk?.freeBytes
  }

  private get keepVolumes(): boolean {
    return this.settings.volumeKeep ?? false
  }

  /** Without `findAgain`, the job fails if the image no longer exists when the container is created. */
  private environment(
    job: ExecutorJob,
    record: DockerRecord,
    services: Services,
    findAgain?: () => Promise<JobImage>,
  ): JobEnvironment {
    const known = { id: record.imageId, name: record.imageName }
    const parts = {
      docker: this.docker,
      logger: this.logger,
      stopGraceSeconds: this.settings.stopGraceSeconds ?? DEFAULT_STOP_GRACE_SECONDS,
      engineAwaySeconds: engineAwaySeconds(this.settings, job),
      keepVolumes: this.keepVolumes,
      isEngineLocal: isEngineLocal(this.settings),
      onStarted: (container: Container) => this.disk?.jobBegan(container),
      planOutput: (place: ContainerWorkspace) => planOutput(place, this.settings),
      create: (place: ContainerWorkspace, markToken: string, withInit: boolean) =>
        this.create(
          { job, place, markToken, connection: services.connection, workspaceVolume: record.workspaceVolume },
          withInit,
          known,
          findAgain,
        ),
      services,
    }
    return new JobContainer(parts, record)
  }

  private async findJobImage(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<FoundImage> {
    const name = imageOf(job, this.settings)
    log.plain(`Using Docker executor with image ${name} ...`)
    const allowed = this.settings.allowedImages ?? []
    if (!isImageAllowed(name, allowed, imageOf({ ...job, image: undefined }, this.settings))) {
      const list = allowed.map((pattern) => `"${pattern}"`).join(', ')
      const message = `The runner does not allow the image "${name}"; allowed: ${list}`
      throw new ExecutorError(message, 'runner_configuration_error')
    }
    const policies = effectivePullPolicies(job.image?.pull_policy, this.settings)
    const platform = readExecutorOptions(job.image?.executor_opts, 'image').platform
    return await this.find({ job, name, policies, platform }, log, signal)
  }

  private async find(wanted: WantedImage, log: JobLog, signal: AbortSignal): Promise<FoundImage> {
    const { docker, pulls, privateImages, settings } = this
    const { job, name, policies, platform } = wanted
    const credentials = await credentialSources(job, settings, log)
    const how = { docker, pulls, retryDelay: PULL_RETRY_MILLISECONDS, privateImages, credentials, platform }
    const image = await findImage(how, withDefaultTag(name), policies, log, signal)
    this.usage?.imageUsed(image.id)
    return image
  }

  private async startServices(
    job: ExecutorJob,
    image: JobImage,
    log: JobLog,
    signal: AbortSignal,
  ): Promise<Services> {
    const engine = await this.capabilities.get()
    const settings = withMemoryDefaults(this.settings, engine)
    const findServiceImage: ServiceParts['findImage'] = async (
      { name, pullPolicy, platform },
      log,
      signal,
    ) => {
      const policies = effectivePullPolicies(pullPolicy, settings)
      return await this.find({ job, name, policies, platform }, log, signal)
    }
    const parts = { ...this.serviceHost, settings, engine, findImage: findServiceImage, jobImageId: image.id }
    return await startServices(parts, job, log, signal)
  }

  private async ownerOf(job: ExecutorJob, image: JobImage): Promise<FileOwner | undefined> {
    try {
      return await this.users.resolve(image.id, jobUser(job, this.settings))
    } catch (error) {
      throw engineFailure(error, `looking up the user of the image "${image.name}"`)
    }
  }

  private async create(
    wanted: Pick<ContainerPlan, 'job' | 'place' | 'markToken' | 'connection' | 'workspaceVolume'>,
    withInit: boolean,
    known: JobImage,
    findAgain: (() => Promise<JobImage>) | undefined,
  ): Promise<Container> {
    this.withInit &&= withInit
    const engine = await this.capabilities.get()
    const settings = withMemoryDefaults(this.settings, engine)
    const logDriver = jobLogDriver(engine)
    let isKnownGone = false
    const find = async () => {
      const image = isKnownGone && findAgain ? await findAgain() : known
      isKnownGone = true
      return image
    }
    const make = async ({ id: imageId }: JobImage) => {
      const plan = { ...wanted, settings, imageId, logDriver }
      for (const { source } of listCacheVolumes(plan))
        if (source !== undefined) this.usage?.volumeUsed(source)
      return await this.createWithInit(plan)
    }
    try {
      return (await withImage(find, make)).result
    } catch (error) {
      throw engineFailure(error, `creating the container of the image "${known.name}"`)
    }
  }

  /** Docker reports an init process that is not installed when a container starts, and Podman when it is created. */
  private async createWithInit(plan: Omit<ContainerPlan, 'withInit'>): Promise<Container> {
    try {
      return await createPlannedContainer(this.docker, { ...plan, withInit: this.withInit }, this.logger)
    } catch (error) {
      if (!this.withInit || !isInitMissing(error)) throw error
      this.withInit = false
      return await createPlannedContainer(this.docker, { ...plan, withInit: false }, this.logger)
    }
  }
}
