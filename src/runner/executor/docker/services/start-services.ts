import { randomBytes } from 'node:crypto'

import type { JobLog } from '../../../trace/job-log.js'
import type { ExecutorJob } from '../../executor.js'
import { containerNamePrefix } from '../containers/container-name.js'
import { labelsOfKind } from '../containers/labels.js'
import { engineFailure } from '../engine.js'
import { createNetwork } from '../network/build-network.js'
import {
  buildConnection,
  networkOptions,
  type NetworkPlan,
  networkRemark,
  planNetwork,
} from '../network/network-plan.js'
import { removeLeftoversOfJob } from '../remove-leftovers.js'
import { awaitServices } from './await-services.js'
import { withOrderedLogs } from './ordered-logs.js'
import { type PlannedService, planServices } from './plan-services.js'
import { removeServices, runningServices, type Services, showAll } from './running-services.js'
import {
  type CreatedService,
  createService,
  type ServiceParts,
  type ServiceWork,
  type StartedService,
  startService,
} from './service-container.js'
import { ServiceEvents } from './service-events.js'
import { waitLimit } from './service-options.js'

/**
 * Starts everything beside the container of a job, in this order:
 *
 *     network ─▶ images and containers, all at once ─▶ started in the order of the list ─▶ waited for, all at once
 *
 * The order matters because a later service may look up the name of an earlier one. Without services and without a
 * network to create, no request is sent to the engine. Throws an `ExecutorError`, or the reason of the signal, and
 * then leaves nothing behind. It may be repeated from its beginning after the process was killed, because it first
 * removes what the interrupted run created.
 */
export async function startServices(
  parts: ServiceParts,
  job: ExecutorJob,
  log: JobLog,
  signal: AbortSignal,
): Promise<Services> {
  const { services, warnings } = planServices(job.services ?? [], parts.settings)
  const network = planNetwork(
    job,
    parts.settings,
    services.map(({ name }) => name.title),
  )
  const made: ServiceWork['made'] = { containers: [], networkId: null }
  if (services.length === 0 && network.kind !== 'own') {
    const connection = buildConnection(network, [])
    return runningServices(parts, { ...made, connection, isShown: false }, [])
  }
  for (const text of [...warnings, networkRemark(network)]) if (text !== undefined) log.warning(text)
  try {
    const namePrefix = containerPrefix(job, parts)
    return await start({ parts, job, log, signal, network, namePrefix, made }, services)
  } catch (error) {
    await removeServices(parts, made)
    throw error
  }
}

async function start(work: ServiceWork, planned: PlannedService[]): Promise<Services> {
  const { parts, job, signal } = work
  await removeLeftoversOfJob(parts, job, parts.settings)
  await createJobNetwork(work)
  const created = await createAll(work, planned)
  const events = await openEvents(work, created)
  try {
    const started: StartedService[] = []
    for (const service of created) {
      signal.throwIfAborted()
      started.push(await startService(service))
    }
    return await finish(work, started, events)
  } finally {
    events?.close()
  }
}

async function createJobNetwork({ parts, job, network, made }: ServiceWork): Promise<void> {
  if (network.kind !== 'own') return
  const labels = labelsOfKind(job, parts.settings, { type: 'network' })
  made.networkId = await createNetwork(parts.docker, networkOptions(network.name, parts.settings, labels))
}

async function createAll(work: ServiceWork, planned: PlannedService[]): Promise<CreatedService[]> {
  const failed = new AbortController()
  const signal = AbortSignal.any([work.signal, failed.signal])
  return await withOrderedLogs(
    work.log,
    planned.map((service) => (log: JobLog) => createService(work, service, log, signal)),
    () => failed.abort(),
  )
}

/**
 * Subscribes before any service is started, so that no event is missed. Does nothing if there is no wait for
 * services.
 */
async function openEvents(
  { parts }: ServiceWork,
  created: CreatedService[],
): Promise<ServiceEvents | undefined> {
  if (created.length === 0 || waitLimit(parts.settings.waitForServicesSeconds) === undefined) return undefined
  try {
    const ids = created.map(({ container }) => container.id)
    return await ServiceEvents.open(parts.docker, ids)
  } catch (error) {
    throw engineFailure(error, 'listening to its events')
  }
}

async function finish(
  work: ServiceWork,
  started: StartedService[],
  events: ServiceEvents | undefined,
): Promise<Services> {
  const { parts, job, log, made, network } = work
  const isShown = job.showServiceLogs ?? false
  const connection = buildConnection(network, hostEntries(network, started, parts.engine.resolvesNames))
  const shown = isShown ? showAll(parts, made, log) : []
  const services = runningServices(parts, { ...made, connection, isShown }, shown)
  try {
    if (events) await awaitServices(work, started, events)
    return services
  } catch (error) {
    await services.cleanUp()
    throw error
  }
}

function containerPrefix(job: ExecutorJob, { settings }: ServiceParts): string {
  const prefix = containerNamePrefix(settings.runnerShortToken, job.projectId, job.concurrentProjectId)
  return `${prefix}-${randomBytes(8).toString('hex')}`
}

const LOOPBACK = '127.0.0.1'

/** `name:address` for every alias, for networks in which they are not resolved (runner protocol, 7.8). */
export function hostEntries(
  network: NetworkPlan,
  services: Pick<StartedService, 'planned' | 'facts'>[],
  resolvesNames: boolean,
): string[] {
  const hasNames = resolvesNames && (network.kind === 'own' || network.kind === 'named')
  if (hasNames || network.kind === 'container' || network.kind === 'untouched') return []
  return services.flatMap(({ planned, facts }) => {
    const address = network.kind === 'host' ? LOOPBACK : facts.address
    return address === undefined ? [] : planned.aliases.map((alias) => `${alias}:${address}`)
  })
}
