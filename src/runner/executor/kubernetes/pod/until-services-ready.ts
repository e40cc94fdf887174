import { messageOf } from '../../../../lib/errors.js'
import { linkSignals } from '../../../../lib/link-signals.js'
import { SECOND } from '../../../../lib/time-units.js'
import type { JobLog } from '../../../trace/job-log.js'
import { TailRing } from '../../../trace/tail-ring.js'
import { MAX_SERVICE_OUTPUT, serviceWarning } from '../../service-warning.js'
import type { Cluster } from '../cluster/cluster.js'
import type { PodRecord } from '../pod-record.js'
import { describeEnd, findEnd } from './container-states.js'
import type { FollowedPod } from './followed-pod.js'

/** As for other executors without a setting. */
const WAIT_SECONDS = 30

export interface ServicesToAwait {
  cluster: Pick<Cluster, 'logs'>
  pod: FollowedPod
  services: PodRecord['services']
  log: JobLog
  signal: AbortSignal
}

/**
 * Waits until the node finds the ports of services open whose variable `HEALTHCHECK_TCP_PORT` names one: the cluster does
 * not tell which ports an image has. Warns of services that did not become ready or have ended, which does not fail the
 * job. Throws the reason of the signal, or why the pod is lost.
 */
export async function untilServicesReady(wait: ServicesToAwait): Promise<void> {
  const probed = wait.services.filter(({ container }) => hasProbe(wait.pod, container))
  if (probed.length > 0) {
    wait.log.plain(`Waiting for services to be up and running (timeout ${WAIT_SECONDS} seconds)...`)
    await untilDecided(wait, probed)
  }
  for (const service of wait.services) {
    const problem = findProblem(wait.pod, service.container)
    if (problem === undefined) continue
    const output = await lastOutput(wait, service.container)
    wait.log.output.write(serviceWarning(service.aliases[0] ?? service.container, problem, output))
  }
}

async function untilDecided(
  { pod, signal }: ServicesToAwait,
  services: PodRecord['services'],
): Promise<void> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), WAIT_SECONDS * SECOND)
  const ends = linkSignals(signal, late.signal)
  const isDecided = ({ container }: PodRecord['services'][number]) =>
    isReady(pod, container) || findEnd(pod.state, container) !== undefined
  try {
    while (!services.every(isDecided)) await pod.nextChange(ends.signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!late.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
    ends.release()
  }
}

function findProblem(pod: FollowedPod, container: string): string | undefined {
  const end = findEnd(pod.state, container)
  if (end) return `The container ${describeEnd(end)}`
  if (!hasProbe(pod, container) || isReady(pod, container)) return undefined
  return `The port was not open after ${WAIT_SECONDS} seconds (HEALTHCHECK_TCP_PORT)`
}

function hasProbe({ state }: FollowedPod, container: string): boolean {
  return state.spec?.containers.find(({ name }) => name === container)?.readinessProbe !== undefined
}

function isReady({ state }: FollowedPod, container: string): boolean {
  return state.status?.containerStatuses?.find(({ name }) => name === container)?.ready ?? false
}

/** Milliseconds for the output of a service that may still run. */
const OUTPUT_LIMIT = 2 * SECOND

async function lastOutput({ cluster, pod, signal }: ServicesToAwait, container: string): Promise<Buffer> {
  const { namespace = '', name = '' } = pod.state.metadata ?? {}
  const end = new TailRing(MAX_SERVICE_OUTPUT)
  const limit = linkSignals(signal, AbortSignal.timeout(OUTPUT_LIMIT))
  try {
    const chunks = await cluster.logs({ namespace, pod: name, container }, limit.signal)
    for await (const chunk of chunks) end.push(chunk)
    return end.read()
  } catch (error) {
    if (limit.signal.aborted) return end.read()
    return Buffer.from(`The output of the service cannot be read: ${messageOf(error)}`)
  } finally {
    limit.release()
  }
}
