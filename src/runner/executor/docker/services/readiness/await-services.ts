import { labelsOfKind } from '../../containers/labels.js'
import type { ServiceWork } from '../service-work.js'
import type { StartedService } from '../start-service.js'
import { waitLimit } from '../wait-limit.js'
import { warnOfService } from '../warn-of-service.js'
import { probeInside } from './probe-inside.js'
import type { ServiceEvents } from './service-events.js'
import { type Readiness, type ServiceChecks, untilReady } from './until-ready.js'

/**
 * Waits for the services, all at once, as long as the settings allow, and says in the log which of them did not get
 * ready, or could not be checked. None of that fails the job (runner protocol, 7.8). Throws the reason of the signal.
 */
export async function awaitServices(
  work: ServiceWork,
  services: StartedService[],
  events: ServiceEvents,
): Promise<void> {
  const seconds = waitLimit(work.parts.settings.waitForServicesSeconds)
  if (seconds === undefined) return
  work.log.plain(`Waiting for services to be up and running (timeout ${seconds} seconds)...`)
  const isLate = new AbortController()
  const timer = setTimeout(() => isLate.abort(), seconds * 1000)
  try {
    await Promise.all(services.map((service) => awaitService(work, service, events, isLate.signal)))
  } finally {
    clearTimeout(timer)
  }
}

async function awaitService(
  work: ServiceWork,
  service: StartedService,
  events: ServiceEvents,
  isLate: AbortSignal,
): Promise<void> {
  const readiness = await readinessOf(checksOf(work, service, events), service.name, work.signal, isLate)
  if (readiness.kind === 'failed')
    await warnOfService(work.log, service.container, service.name, readiness.why)
  if (readiness.kind === 'unchecked') {
    work.log.warning(`Nobody checked whether service ${service.planned.name.title} is up: ${readiness.why}`)
  }
}

async function readinessOf(
  checks: ServiceChecks,
  name: string,
  signal: AbortSignal,
  isLate: AbortSignal,
): Promise<Readiness> {
  try {
    return await untilReady(checks, AbortSignal.any([signal, isLate]))
  } catch (error) {
    signal.throwIfAborted()
    if (!isLate.aborted) throw error
    return { kind: 'failed', why: `service "${name}" timeout` }
  }
}

function checksOf(
  work: ServiceWork,
  { container, facts, name }: StartedService,
  events: ServiceEvents,
): ServiceChecks {
  const { parts, job } = work
  return {
    facts,
    exited: events.exited(container.id),
    health: events.health(container.id),
    ended: events.ended,
    dialAddress: dialAddress(work, facts.address),
    probe: (signal) =>
      probeInside(
        parts.docker,
        {
          name: `${name}-wait-for-service`,
          labels: labelsOfKind(job, parts.settings, { type: 'wait', wait: container.id }),
          imageId: parts.jobImageId,
          serviceId: container.id,
          ports: facts.ports,
        },
        parts.logger,
        signal,
      ),
  }
}

/** An address of a remote engine means nothing here, or somebody else. */
function dialAddress({ parts, network }: ServiceWork, address: string | undefined): string | undefined {
  if (!isLocal(parts.docker.modem)) return undefined
  return network.kind === 'host' ? '127.0.0.1' : address
}

function isLocal(modem: object): boolean {
  return 'socketPath' in modem && modem.socketPath !== undefined
}
