import { randomBytes } from 'node:crypto'

import type { V1Pod, V1Secret } from '@kubernetes/client-node'

import type { Logger } from '../../../lib/logger.js'
import { SECOND } from '../../../lib/time-units.js'
import type { JobLog } from '../../trace/job-log.js'
import type { ExecutorJob } from '../executor.js'
import type { HelperPlaces } from '../helper-places.js'
import { supervisorCommand } from '../supervisor/supervisor.js'
import { isAway } from './cluster-failure.js'
import { whilePatient } from './cluster-patience.js'
import { type Cluster, ClusterError } from './cluster/cluster.js'
import type { PodRemover } from './pod-remover.js'
import { FollowedPod } from './pod/followed-pod.js'
import { planPod } from './pod/plan-pod.js'
import { BUILD, type PodPlan } from './pod/pod-plan.js'
import { PullError } from './pod/pull-attempts.js'
import { untilContainersRun } from './pod/until-containers-run.js'
import type { KubernetesExecutorSettings } from './settings.js'

export interface PodStarter {
  cluster: Cluster
  settings: KubernetesExecutorSettings
  places: HelperPlaces
  remover: PodRemover
  logger: Logger
  /** Called with each pod as soon as it exists. */
  onCreated?: (pod: FollowedPod) => void
}

/**
 * Creates the pod of a job and waits until its containers run. If an image cannot be pulled with its pull policy, creates
 * another pod with the next one. Throws an `ExecutorError`, or the reason of the signal, and leaves nothing behind.
 */
export async function startPod(
  starter: PodStarter,
  job: ExecutorJob,
  log: JobLog,
  signal: AbortSignal,
): Promise<FollowedPod> {
  const { cluster, settings, places } = starter
  const failedPolicies = new Map<string, number>()
  for (;;) {
    const plan = planPod({
      job,
      settings,
      defaultNamespace: cluster.defaultNamespace,
      attempt: randomBytes(8).toString('hex'),
      buildCommand: supervisorCommand(places.control),
      places,
      failedPolicies,
      log,
    })
    if (failedPolicies.size === 0) logPlan(plan, log)
    try {
      return await startPlanned(starter, plan, log, signal)
    } catch (error) {
      if (!(error instanceof PullError) || !choosesNextPolicy(plan, error, failedPolicies, log)) throw error
    }
  }
}

function logPlan({ namespace, images }: PodPlan, log: JobLog): void {
  const image = images.find(({ container }) => container === BUILD)?.image ?? ''
  log.plain(`Using Kubernetes namespace: ${namespace}`)
  log.plain(`Using Kubernetes executor with image ${image} ...`)
}

/** Whether there is another pull policy for the image. */
function choosesNextPolicy(
  { images }: PodPlan,
  { image, message }: PullError,
  failedPolicies: Map<string, number>,
  log: JobLog,
): boolean {
  const failed = failedPolicies.get(image) ?? 0
  const next = images.find((use) => use.image === image)?.policies[failed + 1]
  if (next === undefined) return false
  log.warning(message)
  log.plain(`Attempt #${failed + 2}: Trying "${next}" pull policy for the image "${image}"`)
  failedPolicies.set(image, failed + 1)
  return true
}

async function startPlanned(
  { cluster, settings, remover, onCreated }: PodStarter,
  plan: PodPlan,
  log: JobLog,
  signal: AbortSignal,
): Promise<FollowedPod> {
  const { namespace, secret } = plan
  const patience = settings.pollTimeoutSeconds * SECOND
  const name = plan.pod.metadata?.name ?? ''
  let created: V1Pod | undefined
  let pod: FollowedPod | undefined
  try {
    created = await createOnce(() => cluster.createPod(namespace, plan.pod), {
      find: () => cluster.readPod(namespace, name),
      doing: `creating the pod ${namespace}/${name}`,
      milliseconds: patience,
      signal,
    })
    pod = new FollowedPod(cluster, created)
    onCreated?.(pod)
    if (secret) await createSecret(cluster, namespace, ownedBy(created, secret), patience, signal)
    await untilContainersRun({
      cluster,
      pod,
      log,
      hasWarnings: settings.printPodWarningEvents ?? true,
      timeoutSeconds: settings.pollTimeoutSeconds,
      hasNewSecret: secret !== undefined,
      signal,
    })
    return pod
  } catch (error) {
    pod?.leave()
    // A creation that was not confirmed may have succeeded.
    const mayExist = created !== undefined || signal.aborted || isAway(asCause(error))
    if (mayExist) await remover.remove({ namespace, name, uid: created?.metadata?.uid })
    throw error
  }
}

function asCause(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}

async function createSecret(
  cluster: Pick<Cluster, 'createSecret'>,
  namespace: string,
  secret: V1Secret,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  await createOnce(() => cluster.createSecret(namespace, secret), {
    find: async () => secret,
    doing: 'creating the secret with the credentials for images',
    milliseconds,
    signal,
  })
}

/**
 * The cluster deletes the secret with the pod, even if no runner does. Unlike an owner that is set later, this needs no
 * other right than that to create secrets.
 */
function ownedBy({ metadata }: V1Pod, { metadata: own, type, data }: V1Secret): V1Secret {
  const { name = '', uid = '' } = metadata ?? {}
  return {
    metadata: {
      name: own?.name,
      namespace: own?.namespace,
      labels: own?.labels,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid }],
    },
    type,
    data,
  }
}

const CONFLICT = 409

interface Creation<T> {
  /** The object, if it exists by now. */
  find: () => Promise<T | undefined>
  /** Completes "while …". */
  doing: string
  milliseconds: number
  signal: AbortSignal
}

/** Creates an object whose name nobody else uses. While the API server is away, it may have created the object without a response. */
async function createOnce<T>(
  create: () => Promise<T>,
  { find, doing, milliseconds, signal }: Creation<T>,
): Promise<T> {
  const attempt = async () => {
    try {
      return await create()
    } catch (error) {
      const isThere = error instanceof ClusterError && error.status === CONFLICT
      const found = isThere ? await find() : undefined
      if (found === undefined) throw error
      return found
    }
  }
  return await whilePatient(attempt, { doing, milliseconds, signal })
}
