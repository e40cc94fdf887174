import { linkSignals } from '../../../lib/link-signals.js'
import type { Logger } from '../../../lib/logger.js'
import type { JobLog } from '../../trace/job-log.js'
import type { FileOwner } from '../../workspace/workspace.js'
import type { EnvironmentHelper, OpenHelper } from '../environment-helper.js'
import {
  type EnvironmentRecord,
  type Executor,
  ExecutorError,
  type ExecutorJob,
  type JobEnvironment,
} from '../executor.js'
import { type HelperPlaces, POD_PLACES } from '../helper-places.js'
import { planOutputFiles } from '../output/plan-output-files.js'
import { clusterFailure } from './cluster-failure.js'
import { clusterPatience, whilePatient } from './cluster-patience.js'
import type { Cluster } from './cluster/cluster.js'
import { createCluster } from './cluster/create-cluster.js'
import { helperCommand, helperConnection } from './helper-connection.js'
import { PodEnvironment } from './pod-environment.js'
import { type PodRecord, readRecord } from './pod-record.js'
import { PodRemover } from './pod-remover.js'
import { FollowedPod } from './pod/followed-pod.js'
import { helperCores } from './pod/helper-cores.js'
import { ownSelector } from './pod/pod-labels.js'
import { areBuildsKept } from './pod/pod-volumes.js'
import { untilServicesReady } from './pod/until-services-ready.js'
import { removeLeftovers } from './remove-leftovers.js'
import { serviceContainers } from './service-containers.js'
import { showServiceLogs } from './service-logs.js'
import type { KubernetesExecutorSettings } from './settings.js'
import { type PodStarter, startPod } from './start-pod.js'

/** What tests replace. */
export interface KubernetesParts {
  /** Connects to the cluster of the settings. `labelSelector`: of the pods that will be followed. */
  connect: (
    settings: KubernetesExecutorSettings,
    options: { labelSelector: string; logger: Logger },
  ) => Promise<Cluster>
  places: Omit<HelperPlaces, 'builds'>
  /** Starts a helper process. */
  helperCommand: (places: HelperPlaces) => string[]
}

/**
 * Runs each job in a pod of a cluster. Does not contact the API server before the first call. Each call throws an
 * `ExecutorError` while there are no credentials for it. `openHelper`: for the helper process of each job.
 */
export function createKubernetesExecutor(
  settings: KubernetesExecutorSettings,
  logger: Logger,
  openHelper: OpenHelper,
  parts: KubernetesParts = PARTS,
): Executor {
  return new KubernetesExecutor(settings, logger, openHelper, parts)
}

const PARTS: KubernetesParts = { connect: createCluster, places: POD_PLACES, helperCommand }

interface Connection {
  cluster: Cluster
  remover: PodRemover
}

class KubernetesExecutor implements Executor {
  private connecting: Promise<Connection> | undefined
  private readonly runningJobs = new Set<number>()
  /** The jobs to keep when leftovers are removed, if that has failed so far. */
  private keptJobs: ReadonlySet<number> | undefined
  private isClosed = false
  private readonly places: HelperPlaces

  constructor(
    private readonly settings: KubernetesExecutorSettings,
    private readonly logger: Logger,
    private readonly openHelper: OpenHelper,
    private readonly parts: KubernetesParts,
  ) {
    this.places = { builds: settings.buildsDir, ...parts.places }
  }

  async prepare(job: ExecutorJob, log: JobLog, signal: AbortSignal): Promise<JobEnvironment> {
    return await this.duringJob(job, async () => {
      const connection = await this.connection()
      const { pod, helper, ready } = await this.startWithHelper(connection, job, log, signal)
      const services = serviceContainers(job)
      try {
        await untilServicesReady({ cluster: connection.cluster, pod, services, log, signal })
        const owner = await ready
        const { namespace = '', name = '', uid = '' } = pod.state.metadata ?? {}
        const record: PodRecord = {
          namespace,
          name,
          uid,
          owner,
          output: planOutputFiles(this.places.control, this.settings.outputLimitBytes),
          scriptNumber: 0,
          services,
          showsServices: job.showServiceLogs ?? false,
        }
        return this.environment(connection, job, { pod, helper, record, log, since: undefined })
      } catch (error) {
        pod.leave()
        await helper.close()
        await connection.remover.remove(identityOf(pod))
        throw error
      }
    })
  }

  async adopt(
    job: ExecutorJob,
    record: EnvironmentRecord,
    log: JobLog,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<JobEnvironment> {
    const known = readRecord(record)
    return await this.duringJob(job, async () => {
      const connection = await this.connection()
      const { cluster, remover } = connection
      const { namespace, name, uid } = known
      try {
        const found = await whilePatient(() => cluster.readPod(namespace, name), {
          doing: 'adopting the pod of the job',
          milliseconds: clusterPatience(this.settings, job),
          signal,
        })
        if (found?.metadata?.uid !== uid) throw podGone(known)
        const pod = new FollowedPod(cluster, found)
        const helper = this.helperOf(connection, pod, job)
        return this.environment(connection, job, { pod, helper, record: known, log, since: new Date() })
      } catch (error) {
        remover.removeLater(known)
        throw error
      }
    })
  }

  async removeLeftovers(kept: ReadonlySet<number>): Promise<void> {
    this.keptJobs = kept
    const { settings, logger } = this
    const { cluster, remover } = await this.connection()
    await removeLeftovers({ cluster, settings, remover, logger }, new Set([...kept, ...this.runningJobs]))
    this.keptJobs = undefined
  }

  async ping(signal?: AbortSignal): Promise<void> {
    const { cluster, remover } = await this.connection()
    try {
      await cluster.version(signal)
    } catch (error) {
      throw clusterFailure(error, 'being pinged')
    }
    await remover.removeLeft()
    // They could not be listed when the runner started: the API server was away, or a right is missing that all jobs need.
    if (this.keptJobs) await this.removeLeftovers(this.keptJobs)
  }

  async disconnected(signal: AbortSignal): Promise<void> {
    const { cluster } = await this.connection()
    await cluster.disconnected(signal)
  }

  close(): void {
    this.isClosed = true
    this.closeWhenIdle()
  }

  async end(): Promise<void> {
    this.close()
  }

  private starter({ cluster, remover }: Connection): PodStarter {
    const { settings, places, logger } = this
    return { cluster, remover, settings, places, logger }
  }

  /**
   * The helper process starts while the node starts the other containers, and before the cluster says that any of them
   * runs. Without its image, the pod does not start either, so that the pod says why.
   */
  private async startWithHelper(
    connection: Connection,
    job: ExecutorJob,
    log: JobLog,
    signal: AbortSignal,
  ): Promise<{ pod: FollowedPod; helper: EnvironmentHelper; ready: Promise<FileOwner> }> {
    let begun: { helper: EnvironmentHelper; ready: Promise<FileOwner> } | undefined
    const onCreated = (pod: FollowedPod) => {
      // That of a pod whose image could not be pulled.
      void begun?.helper.close()
      const helper = this.helperOf(connection, pod, job)
      const ready = untilReady(helper, pod, signal)
      ready.catch(() => {}) // thrown when the pod runs
      begun = { helper, ready }
    }
    try {
      const pod = await startPod({ ...this.starter(connection), onCreated }, job, log, signal)
      if (!begun) throw new Error('A pod runs that was not created')
      return { pod, ...begun }
    } catch (error) {
      await begun?.helper.close()
      throw error
    }
  }

  private helperOf({ cluster }: Connection, pod: FollowedPod, job: ExecutorJob): EnvironmentHelper {
    const { settings, places, logger, parts } = this
    const command = parts.helperCommand(places)
    const patience = clusterPatience(settings, job)
    const connect = helperConnection({ cluster, pod, command, patience, logger })
    return this.openHelper({
      connect,
      places,
      areBuildsKept: areBuildsKept(pod.state, places),
      cores: helperCores(pod.state),
    })
  }

  private environment(
    { cluster, remover }: Connection,
    job: ExecutorJob,
    {
      pod,
      helper,
      record,
      log,
      since,
    }: {
      pod: FollowedPod
      helper: EnvironmentHelper
      record: PodRecord
      log: JobLog
      since: Date | undefined
    },
  ): JobEnvironment {
    const { logger } = this
    const patience = clusterPatience(this.settings, job)
    const stopServiceLogs = record.showsServices
      ? showServiceLogs({ cluster, record, output: log.output, since, patience, logger })
      : () => {}
    const onEnd = () => this.jobEnded(job)
    const { control } = this.places
    const parts = { cluster, pod, helper, control, remover, stopServiceLogs, onEnd, logger }
    return new PodEnvironment(parts, record)
  }

  private async duringJob(job: ExecutorJob, work: () => Promise<JobEnvironment>): Promise<JobEnvironment> {
    this.runningJobs.add(job.jobId)
    try {
      return await work()
    } catch (error) {
      this.jobEnded(job)
      throw error
    }
  }

  private jobEnded({ jobId }: ExecutorJob): void {
    this.runningJobs.delete(jobId)
    this.closeWhenIdle()
  }

  private closeWhenIdle(): void {
    if (!this.isClosed || this.runningJobs.size > 0) return
    // A failed preparation may be tried again.
    this.connecting?.then(({ cluster }) => cluster.close()).catch(() => {})
    this.connecting = undefined
  }

  /** A failure to find credentials is not kept. */
  private async connection(): Promise<Connection> {
    this.connecting ??= this.open().catch((error: unknown) => {
      this.connecting = undefined
      throw clusterFailure(error, 'connecting to it')
    })
    return await this.connecting
  }

  private async open(): Promise<Connection> {
    const { settings, logger } = this
    const cluster = await this.parts.connect(settings, { labelSelector: ownSelector(settings), logger })
    return { cluster, remover: new PodRemover(cluster, settings.cleanupGracePeriodSeconds, logger) }
  }
}

/** The user of the scripts. Throws why the pod is lost if its container ends before any could start. */
async function untilReady(
  helper: EnvironmentHelper,
  pod: FollowedPod,
  signal: AbortSignal,
): Promise<FileOwner> {
  const ends = linkSignals(signal, pod.scriptsLost)
  try {
    return await helper.ready(ends.signal)
  } finally {
    ends.release()
  }
}

function identityOf({ state: { metadata } }: FollowedPod) {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '', uid: metadata?.uid }
}

function podGone({ namespace, name }: PodRecord): ExecutorError {
  const message = `The pod ${namespace}/${name} of the job no longer exists: it was deleted while no runner followed it`
  return new ExecutorError(message, 'runner_system_failure')
}
