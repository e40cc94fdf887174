import { once } from 'node:events'
import { finished } from 'node:stream/promises'

import type Docker from 'dockerode'

import { messageOf } from '../../../lib/errors.js'
import { pause } from '../../../lib/pause.js'
import { ExecutorError } from '../executor.js'
import { SshAgent } from './ssh/ssh-agent.js'
import { SshError } from './ssh/ssh-error.js'

/** Milliseconds between two attempts to reach an unavailable engine. */
const ENGINE_PAUSE = 500
/** Milliseconds for one attempt. A connection to a machine without network ends much later by itself. */
const PING_MILLISECONDS = 5000

/** No container has this ID: only the end of the stream counts. */
const NO_EVENTS = { container: ['none-of-any-job'] }

/** The HTTP status of an error response. Undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined
  return typeof error.statusCode === 'number' ? error.statusCode : undefined
}

export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404
}

/** The error message of the engine, without the text that the client adds. */
export function engineWords(error: unknown): string {
  const hasJson = typeof error === 'object' && error !== null && 'json' in error
  const json = hasJson ? error.json : undefined
  if (typeof json === 'object' && json !== null && 'message' in json) return String(json.message)
  return messageOf(error)
    .replace(/^\(HTTP code \d+\) [^-]*- /, '')
    .trim()
}

/** Converts an engine error into an `ExecutorError` that does not blame the job. `doing` completes "while …". */
export function engineFailure(error: unknown, doing: string): ExecutorError {
  if (error instanceof ExecutorError) return error
  if (error instanceof SshError) {
    const message = `The Docker engine cannot be reached while ${doing}. ${error.message}`
    return new ExecutorError(message, 'runner_system_failure', { cause: error })
  }
  const message =
    statusOf(error) === undefined
      ? `The Docker engine does not respond while ${doing}: ${messageOf(error)}. Check that it is running.`
      : `The Docker engine failed while ${doing}: ${engineWords(error)}`
  return new ExecutorError(message, 'runner_system_failure', { cause: error })
}

/** Whether there was no response at all, as from an engine that is restarting. */
export function isEngineAway(error: unknown): boolean {
  if (error instanceof ExecutorError) return error.cause !== undefined && isEngineAway(error.cause)
  return statusOf(error) === undefined && error instanceof Error && 'code' in error
}

/** Throws if the engine does not respond before `abortSignal` aborts, an option that the types of the client lack. */
export async function pingEngine(docker: Docker, abortSignal: AbortSignal | undefined): Promise<void> {
  const ping: (options: object) => Promise<unknown> = docker.ping.bind(docker)
  await ping({ abortSignal })
}

/** Waits until the engine responds. Returns false if it did not within `milliseconds`, or if `signal` aborted. */
export async function untilEngineResponds(
  docker: Docker,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (!signal?.aborted) {
    if (await responds(docker)) return true
    if (performance.now() >= end) return false
    await pause(ENGINE_PAUSE, signal)
  }
  return false
}

/** Waits until the engine closes a connection that waits for it, as it does when it stops, or until `signal` aborts. */
export async function untilEngineGone(docker: Docker, signal: AbortSignal): Promise<void> {
  const { agent } = docker.modem as { agent?: unknown }
  if (agent instanceof SshAgent) await agent.untilBroken(signal)
  else await untilEventsEnd(docker, signal)
}

async function untilEventsEnd(docker: Docker, signal: AbortSignal): Promise<void> {
  try {
    const events = await docker.getEvents({ filters: NO_EVENTS, abortSignal: signal })
    events.resume()
    await finished(events)
  } catch (error) {
    // A proxy in front of the engine may refuse the stream.
    if (statusOf(error) !== undefined) await untilAborted(signal)
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

async function responds(docker: Docker): Promise<boolean> {
  try {
    await pingEngine(docker, AbortSignal.timeout(PING_MILLISECONDS))
    return true
  } catch (error) {
    return !isEngineAway(error)
  }
}
