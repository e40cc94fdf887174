import type { V1ContainerStateTerminated, V1Pod } from '@kubernetes/client-node'

import type { FailureReason } from '../../../../protocol/failure-reason.js'
import { cannotRun, isCommandMissing, scriptNotRun, serviceNotStarted } from '../../image-failure.js'
import { KILLED } from '../../output/output-script.js'
import { describeEnd, findEnd, findWaiting, imageOf, plainMessage, podTitle } from './container-states.js'
import { BUILD, HELPER, SERVICE_PREFIX } from './pod-plan.js'

/** Why a pod cannot run its job, or no longer can. */
export interface PodFailure {
  /** A sentence that names the pod or its image, and the remedy if there is one. */
  message: string
  reason: FailureReason
  /** Of the script that ran, if the pod ended because of it. */
  exitCode?: number
}

/**
 * Why nothing of a job can continue in a pod. Undefined while it may. Failed pulls of images are not included, because the
 * node repeats them (`PullAttempts`).
 */
export function findPodFailure(pod: V1Pod): PodFailure | undefined {
  return (
    findEndOfPod(pod) ??
    findWrongContainer(pod) ??
    findFailedInit(pod) ??
    findUnstartedService(pod) ??
    findEndOfHelper(pod)
  )
}

/** A pod that no longer exists, and whose last state did not say why. */
export function podDeleted(pod: V1Pod): PodFailure {
  const message = `The pod ${podTitle(pod)} was deleted by another client of the cluster, or with its node`
  return { message, reason: 'runner_system_failure' }
}

/** `status.reason` of a pod that its node or the cluster has ended, and what it means. */
const ENDS: Record<string, string> = {
  Evicted: 'was evicted by its node',
  Preempting: 'was ended by its node for a pod with a higher priority',
  NodeLost: 'is on a node that no longer responds',
  NodeShutdown: 'was ended by the shutdown of its node',
  Shutdown: 'was ended by the shutdown of its node',
  Terminated: 'was ended by the shutdown of its node',
  UnexpectedAdmissionError: 'was refused by its node',
  NodeAffinity: 'was refused by its node',
  NodeName: 'was refused by its node',
  NodePorts: 'was refused by its node',
  OutOfcpu: 'was refused by its node',
  OutOfmemory: 'was refused by its node',
  OutOfpods: 'was refused by its node',
  'OutOfephemeral-storage': 'was refused by its node',
}

/** The reasons of the condition `DisruptionTarget` (from version 1.26 on). */
const DISRUPTIONS: Record<string, string> = {
  PreemptionByScheduler: 'was preempted by a pod with a higher priority',
  DeletionByTaintManager: 'was deleted because of a taint of its node, as when the node does not respond',
  EvictionByEvictionAPI: 'was evicted by a client of the cluster, as when its node is drained',
  DeletionByPodGC: 'was deleted because its node no longer exists',
  TerminationByKubelet: 'was ended by its node',
}

const DEADLINE = 'DeadlineExceeded'

function findEndOfPod(pod: V1Pod): PodFailure | undefined {
  const { phase, reason = '', message, conditions = [] } = pod.status ?? {}
  if (reason === DEADLINE) {
    const text = `The pod ${podTitle(pod)} ran for longer than its deadline (activeDeadlineSeconds of the pod)`
    return { message: text, reason: 'job_execution_timeout' }
  }
  const end = ENDS[reason]
  if (end !== undefined) return ended(pod, end, message)
  const disruption = conditions.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True')
  if (disruption) {
    return ended(pod, DISRUPTIONS[disruption.reason ?? ''] ?? 'was ended by the cluster', disruption.message)
  }
  if (phase === 'Unknown') return ended(pod, 'is on a node that no longer responds', message)
  if (phase === 'Failed' && reason !== '') return ended(pod, `failed (${reason})`, message)
  return pod.metadata?.deletionTimestamp === undefined ? undefined : podDeleted(pod)
}

function ended(pod: V1Pod, how: string, message: string | undefined): PodFailure {
  const why = plainMessage(message)
  return {
    message: `The pod ${podTitle(pod)} ${how}${why === '' ? '' : `: ${why}`}`,
    reason: 'runner_system_failure',
  }
}

/** Containers that will not run, however long their node waits. */
function findWrongContainer(pod: V1Pod): PodFailure | undefined {
  for (const { container, image, waiting } of findWaiting(pod)) {
    const words = plainMessage(waiting.message)
    switch (waiting.reason) {
      case 'InvalidImageName':
        return {
          message: `The name of the image "${image}" is not valid: ${words}`,
          reason: 'runner_configuration_error',
        }
      case 'CreateContainerConfigError':
        // The node has not seen a new secret or config map yet.
        if (/failed to sync/.test(words)) break
        return {
          message: `The container "${container}" of the pod ${podTitle(pod)} cannot be created: ${words}`,
          reason: 'runner_configuration_error',
        }
      case 'CreateContainerError':
      case 'RunContainerError':
        if (!isCommandMissing(words)) break
        if (container === BUILD) return fromError(cannotRun(image, words))
        if (isService(container)) return fromError(serviceNotStarted(image, words))
        break
      default:
        break
    }
  }
  return undefined
}

function findFailedInit(pod: V1Pod): PodFailure | undefined {
  for (const { name, state } of pod.status?.initContainerStatuses ?? []) {
    const end = state?.terminated
    if (!end || end.exitCode === 0) continue
    const message = `The container "${name}" of the pod ${podTitle(pod)} ${describeEnd(end)}`
    return { message, reason: 'runner_system_failure' }
  }
  return undefined
}

/** The runtime did not start the command of the container. */
const NOT_STARTED = ['ContainerCannotRun', 'StartError']

/** A service that has started and ended is not one: only a warning says so. */
function findUnstartedService(pod: V1Pod): PodFailure | undefined {
  for (const { name, image, state } of pod.status?.containerStatuses ?? []) {
    const end = state?.terminated
    if (isService(name) && NOT_STARTED.includes(end?.reason ?? ''))
      return fromError(serviceNotStarted(imageOf(pod, name) ?? image, plainMessage(end?.message)))
  }
  return undefined
}

function isService(container: string): boolean {
  return container.startsWith(SERVICE_PREFIX)
}

/** Why no script can run in a pod. Its files can still be read. */
export function findBuildFailure(pod: V1Pod): PodFailure | undefined {
  const end = findEnd(pod, BUILD)
  if (!end) return undefined
  const image = imageOf(pod, BUILD) ?? ''
  if (NOT_STARTED.includes(end.reason ?? '')) return fromError(cannotRun(image, plainMessage(end.message)))
  if (end.reason === 'OOMKilled') return { ...ranOutOfMemory(BUILD), exitCode: KILLED }
  if (!isKilled(end)) return fromError(scriptNotRun(image))
  const message = `The container "${BUILD}" of the pod ${podTitle(pod)} ${describeEnd(end)}: another process has killed it`
  return { message, reason: 'runner_system_failure' }
}

function findEndOfHelper(pod: V1Pod): PodFailure | undefined {
  const end = findEnd(pod, HELPER)
  if (!end) return undefined
  if (end.reason === 'OOMKilled') return ranOutOfMemory(HELPER)
  const message = `The container "${HELPER}" of the pod ${podTitle(pod)} ${describeEnd(end)}`
  return { message, reason: 'runner_system_failure' }
}

/** Also of a process in a container that continues. */
export function ranOutOfMemory(container: typeof BUILD | typeof HELPER): PodFailure {
  const setting = container === BUILD ? 'memory_limit' : 'helper_memory_limit'
  return {
    message: `The container "${container}" ran out of memory and was killed. Raise the "${setting}" setting of the runner.`,
    reason: container === BUILD ? 'script_failure' : 'runner_system_failure',
  }
}

function isKilled({ exitCode, signal }: V1ContainerStateTerminated): boolean {
  return signal !== undefined || exitCode === KILLED || exitCode === 143
}

function fromError({ message, reason }: PodFailure): PodFailure {
  return { message, reason }
}

/** Whether all containers run, or have run: services may end early. */
export function haveAllBegun(pod: V1Pod): boolean {
  const wanted = pod.spec?.containers.length ?? 0
  const begun = (pod.status?.containerStatuses ?? []).filter(
    ({ state }) => state?.running ?? state?.terminated,
  )
  return wanted > 0 && begun.length >= wanted
}
