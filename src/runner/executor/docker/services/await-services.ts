import { pipeline } from 'node:stream/promises'

import type { Container } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import type { JobLog } from '../../../trace/job-log.js'
import { TailRing } from '../../../trace/tail-ring.js'
import { MAX_SERVICE_OUTPUT, serviceWarning } from '../../service-warning.js'
import { isEngineLocal } from '../connect-engine.js'
import { Demultiplexer, openLog } from '../containers/container-stream.js'
import { labelsOfKind } from '../containers/labels.js'
import { probeInside } from './probe-ports.js'
import { requestHealth } from './request-health.js'
import type { ServiceWork, StartedService } from './service-container.js'
import type { ServiceEvents } from './service-events.js'
import { waitLimit } from './service-options.js'
import { type Readiness, type ServiceChecks, untilReady } from './until-ready.js'

/**
 * Waits for all services concurrently, as long as the settings allow. Logs which of them did not become ready or
 * could not be checked. None of that fails the job (runner protocol, 7.8). Throws the reason of the signal.
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
    work.log.warning(`Could not check whether service ${service.planned.name.title} is up: ${readiness.why}`)
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
    findExitCode: () => findExitCode(container),
    health: events.health(container.id),
    requestHealth: parts.engine.checksHealthOnRequest
      ? (signal) => requestHealth(parts.docker, container.id, signal)
      : undefined,
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

async function findExitCode(container: Container): Promise<number | undefined> {
  try {
    const { State: state } = await container.inspect()
    return state.Running ? undefined : state.ExitCode
  } catch {
    return undefined // what is reported is why the check of the ports failed
  }
}

/**
 * An address in the network of a remote engine, or of one without root, is unreachable here, or belongs to another
 * machine.
 */
function dialAddress({ parts, network }: ServiceWork, address: string | undefined): string | undefined {
  if (parts.engine.isRootless || !isEngineLocal(parts.settings)) return undefined
  return network.kind === 'host' ? '127.0.0.1' : address
}

/** Warns that a service may be unusable, and includes the end of its output. */
async function warnOfService(log: JobLog, container: Container, name: string, why: string): Promise<void> {
  log.output.write(serviceWarning(name, why, await lastOutput(container)))
}

const MAX_LINES = 1000

/** The end of a service's output, at most 64 KiB, with the time of each line (runner protocol, 7.8). */
async function lastOutput(container: Container): Promise<Buffer> {
  try {
    const frames = await openLog(container, container.id, false, { tail: MAX_LINES, timestamps: true })
    const end = new TailRing(MAX_SERVICE_OUTPUT)
    await pipeline(frames, new Demultiplexer(), async (output: AsyncIterable<Buffer>) => {
      for await (const chunk of output) end.push(chunk)
    })
    return end.read()
  } catch (error) {
    return Buffer.from(`The output of the service cannot be read: ${messageOf(error)}`)
  }
}
