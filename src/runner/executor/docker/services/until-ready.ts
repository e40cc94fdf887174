import type { ContainerInspectInfo } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import { pause } from '../../../../lib/pause.js'
import { dialUntilOpen } from './probe-ports.js'

/** Whether a service can be used. `unchecked`: this could not be determined, for the given reason. */
export type Readiness =
  | { kind: 'ready' }
  | { kind: 'unchecked'; why: string }
  | { kind: 'failed'; why: string }

export interface ServiceChecks {
  /** What the engine reported right after the start. */
  facts: ContainerFacts
  exited: Promise<number>
  /** The exit code by the state of the service, which the engine may know before it sends an event. */
  findExitCode: () => Promise<number | undefined>
  health: Promise<'healthy' | 'unhealthy'>
  /** Runs the health check until it succeeds. Undefined if the engine runs it by itself. */
  requestHealth?: ((signal: AbortSignal) => Promise<'healthy'>) | undefined
  /** Resolves when the engine sends no more events. */
  ended: Promise<void>
  /** The address at which this machine can dial the service. Undefined if it cannot. */
  dialAddress: string | undefined
  /** Checks the ports from inside the service's network. */
  probe: (signal: AbortSignal) => Promise<boolean>
}

/**
 * Waits until the health check of the image succeeds. Without a health check, waits until a port is open, dialing
 * it from here or else checking it from inside. A service that exits or becomes unhealthy has failed. Throws the
 * reason of the signal when it aborts.
 */
export async function untilReady(checks: ServiceChecks, signal: AbortSignal): Promise<Readiness> {
  if (checks.facts.exitCode !== undefined) return exitedWith(checks.facts.exitCode)
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  try {
    const exited = checks.exited.then(exitedWith)
    const ended = checks.ended.then(endedEarly)
    return await Promise.race([exited, ended, check(checks, until), aborted(signal)])
  } finally {
    over.abort()
  }
}

async function check(checks: ServiceChecks, signal: AbortSignal): Promise<Readiness> {
  const { facts } = checks
  if (facts.health !== undefined) return await healthVerdict(checks, signal)
  if (facts.ports.length === 0) {
    return { kind: 'unchecked', why: 'its image has neither a health check nor an exposed port' }
  }
  if (checks.dialAddress !== undefined) {
    const response = await dialUntilOpen(checks.dialAddress, facts.ports, signal)
    if (response === 'open') {
      // The address of a service that has ended may lead elsewhere, such as to a proxy that accepts every connection.
      const exitCode = await checks.findExitCode()
      return exitCode === undefined ? { kind: 'ready' } : exitedWith(exitCode)
    }
  }
  return await checkInside(checks, signal)
}

async function healthVerdict(
  { facts, health, requestHealth }: ServiceChecks,
  signal: AbortSignal,
): Promise<Readiness> {
  const isKnown = facts.health === 'healthy' || facts.health === 'unhealthy'
  const verdict = isKnown ? facts.health : await (requestHealth ? requestHealth(signal) : health)
  return verdict === 'healthy' ? { kind: 'ready' } : { kind: 'failed', why: 'its health check fails' }
}

/** Milliseconds between the end of a container and the event about it, at most. */
const EVENT_MILLISECONDS = 2000

async function checkInside(
  { probe, exited, findExitCode }: ServiceChecks,
  signal: AbortSignal,
): Promise<Readiness> {
  try {
    if (await probe(signal)) return { kind: 'ready' }
    return { kind: 'unchecked', why: 'the image of the job cannot check its ports' }
  } catch (error) {
    signal.throwIfAborted()
    // An engine refuses the network of a service that has ended, perhaps before it reports the end.
    const byEvent = () => Promise.race([exited, pause(EVENT_MILLISECONDS, signal)])
    const exitCode = (await findExitCode()) ?? (await byEvent()) ?? (await findExitCode())
    if (exitCode !== undefined) return exitedWith(exitCode)
    return { kind: 'unchecked', why: `its ports cannot be checked: ${messageOf(error)}` }
  }
}

function exitedWith(exitCode: number): Readiness {
  return { kind: 'failed', why: `it ended with exit code ${exitCode}` }
}

function endedEarly(): Readiness {
  return { kind: 'unchecked', why: 'the engine sends no more events about it' }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

const MAX_PORTS = 20

/** Information about a service after its start. */
export interface ContainerFacts {
  /** Undefined while it runs. */
  exitCode: number | undefined
  /** As reported by the engine. Undefined without a health check. */
  health: string | undefined
  /** Address in the network that it shares with the build. Undefined if it has no address of its own. */
  address: string | undefined
  /** TCP ports at which it may respond (runner protocol, 7.8). */
  ports: number[]
}

/**
 * `environment` is that of the service. If it sets `HEALTHCHECK_TCP_PORT`, that port replaces all ports of the
 * image.
 */
export function containerFacts(
  { State: state, NetworkSettings: network, Config: config }: ContainerInspectInfo,
  environment: Record<string, string>,
): ContainerFacts {
  const addresses = Object.values(network.Networks).map((endpoint) => endpoint.IPAddress)
  return {
    exitCode: state.Running ? undefined : state.ExitCode,
    // Podman reports an empty status for a container without a health check.
    health: state.Health?.Status || undefined,
    address: addresses.find((address) => address !== ''),
    ports: tcpPorts(namesOf(config.ExposedPorts), environment['HEALTHCHECK_TCP_PORT']),
  }
}

/** The engine omits empty values, although the types of the client do not say so. */
function namesOf(ports: object | undefined): string[] {
  return Object.keys(ports ?? {})
}

function tcpPorts(exposed: string[], override: string | undefined): number[] {
  if (override !== undefined && /^\d{1,5}$/.test(override)) return [Number(override)]
  const ports = exposed.filter((port) => !port.includes('/') || port.endsWith('/tcp'))
  return ports
    .map((port) => Number.parseInt(port, 10))
    .sort((one, other) => one - other)
    .slice(0, MAX_PORTS)
}
