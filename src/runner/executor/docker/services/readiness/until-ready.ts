import { messageOf } from '../../../../../lib/errors.js'
import type { ContainerFacts } from './container-facts.js'
import { dialUntilOpen } from './dial-ports.js'

/** Whether others can use a service. `unchecked`: nobody can tell, for the reason given. */
export type Readiness =
  { kind: 'ready' } | { kind: 'unchecked'; why: string } | { kind: 'failed'; why: string }

export interface ServiceChecks {
  /** What the engine knew right after the start. */
  facts: ContainerFacts
  exited: Promise<number>
  health: Promise<'healthy' | 'unhealthy'>
  /** Resolves when the engine tells nothing more of its containers. */
  ended: Promise<void>
  /** Where this machine can dial the service; undefined when it has no way to. */
  dialAddress: string | undefined
  /** Looks at the ports from within the service's network. */
  probe: (signal: AbortSignal) => Promise<boolean>
}

/**
 * Waits until the health check of the image says that the service is well or, without one, until a port is open: dialed
 * from here, else looked at from inside. A service that ends, or that is found unhealthy, has failed at once. Throws the
 * signal's reason when it aborts.
 */
export async function untilReady(checks: ServiceChecks, signal: AbortSignal): Promise<Readiness> {
  if (checks.facts.exitCode !== undefined) return exitedWith(checks.facts.exitCode)
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  try {
    const exited = checks.exited.then(exitedWith)
    const ended = checks.ended.then(unheard)
    return await Promise.race([exited, ended, check(checks, until), aborted(signal)])
  } finally {
    over.abort()
  }
}

async function check(checks: ServiceChecks, signal: AbortSignal): Promise<Readiness> {
  const { facts } = checks
  if (facts.health !== undefined) return await healthVerdict(checks)
  if (facts.ports.length === 0) {
    return { kind: 'unchecked', why: 'its image has neither a health check nor an exposed port' }
  }
  if (checks.dialAddress !== undefined) {
    const answer = await dialUntilOpen(checks.dialAddress, facts.ports, signal)
    if (answer === 'open') return { kind: 'ready' }
  }
  return await checkInside(checks, signal)
}

async function healthVerdict({ facts, health }: ServiceChecks): Promise<Readiness> {
  const isKnown = facts.health === 'healthy' || facts.health === 'unhealthy'
  const verdict = isKnown ? facts.health : await health
  return verdict === 'healthy' ? { kind: 'ready' } : { kind: 'failed', why: 'its health check fails' }
}

async function checkInside({ probe }: ServiceChecks, signal: AbortSignal): Promise<Readiness> {
  try {
    if (await probe(signal)) return { kind: 'ready' }
    return { kind: 'unchecked', why: 'the image of the job cannot look at its ports' }
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'unchecked', why: `its ports cannot be looked at: ${messageOf(error)}` }
  }
}

function exitedWith(exitCode: number): Readiness {
  return { kind: 'failed', why: `it ended with exit code ${exitCode}` }
}

function unheard(): Readiness {
  return { kind: 'unchecked', why: 'the engine stopped telling about it' }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}
