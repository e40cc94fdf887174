import type Docker from 'dockerode'

import { retry } from '../../../lib/retry.js'
import type { JobLog } from '../../trace/job-log.js'
import { ExecutorError } from '../errors.js'
import { engineFailure, engineWords, isNotFound, statusOf } from './engine.js'
import { isImageId } from './image-name.js'
import { isNetworkTrouble, pullFailureReason } from './pull-failure.js'
import type { PullPolicy } from './settings.js'
import type { SharedPulls } from './shared-pulls.js'

export interface FoundImage {
  id: string
  name: string
  /** `repository@sha256:…`; undefined for an image that came from no registry. */
  digest: string | undefined
}

export interface ImageFinder {
  docker: Docker
  pulls: SharedPulls
  /** Milliseconds before a pull that failed on the network is tried again. */
  retryDelay: number
}

const PULL_ATTEMPTS = 3

/**
 * Gets the image by the first policy that yields it and says in the log how (runner protocol, 7.5). Throws an
 * `ExecutorError` with the reason of the last policy's failure.
 */
export async function findImage(
  finder: ImageFinder,
  image: string,
  policies: PullPolicy[],
  log: JobLog,
  signal: AbortSignal,
): Promise<FoundImage> {
  log.plain(`Using effective pull policy of [${policies.join(' ')}] for container ${image}`)
  for (const [index, policy] of policies.entries()) {
    if (index > 0) log.plain(`Attempt #${index + 1}: Trying "${policy}" pull policy`)
    try {
      return await findByPolicy(finder, image, policy, log, signal)
    } catch (error) {
      const failure = asImageFailure(error, image, signal)
      if (index === policies.length - 1) throw failure
      log.warning(`Failed to pull image with policy "${policy}": ${failure.message}`)
    }
  }
  throw new ExecutorError(`There is no pull policy for the image "${image}"`, 'runner_configuration_error')
}

async function findByPolicy(
  finder: ImageFinder,
  image: string,
  policy: PullPolicy,
  log: JobLog,
  signal: AbortSignal,
): Promise<FoundImage> {
  if (policy !== 'always' || isImageId(image)) {
    const local = await inspectImage(finder.docker, image)
    if (local && policy === 'if-not-present') {
      log.plain('Using locally found image version due to "if-not-present" pull policy')
    }
    if (local) return announced(local, log)
    if (policy === 'never' || isImageId(image)) throw missingImage(image, policy)
  }
  await pullImage(finder, image, log, signal)
  const pulled = await inspectImage(finder.docker, image)
  if (!pulled) throw missingImage(image, policy)
  return announced(pulled, log)
}

async function pullImage(
  finder: ImageFinder,
  image: string,
  log: JobLog,
  signal: AbortSignal,
): Promise<void> {
  log.plain(`Pulling docker image ${image} ...`)
  const onProgress = (line: string) => log.plain(`Pulling docker image ${image}: ${line}`)
  await retry(() => finder.pulls.pull(image, onProgress, signal), {
    attempts: PULL_ATTEMPTS,
    delay: finder.retryDelay,
    maximumDelay: finder.retryDelay * 5,
    // Without a status the engine itself is out of reach, and its words mean something else.
    isWorthRetrying: (error) => !isEngineGone(error) && isNetworkTrouble(engineWords(error)),
    signal,
  })
}

async function inspectImage(docker: Docker, image: string): Promise<FoundImage | undefined> {
  try {
    const { Id: id, RepoDigests: digests } = await docker.getImage(image).inspect()
    return { id, name: image, digest: firstOf(digests) }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** The engine may send null for an image that came from no registry, whatever the client's types say. */
function firstOf(digests: string[] | null): string | undefined {
  return digests?.[0]
}

function announced(image: FoundImage, log: JobLog): FoundImage {
  const digest = image.digest === undefined ? '' : ` with digest ${image.digest}`
  log.plain(`Using docker image ${image.id} for ${image.name}${digest} ...`)
  return image
}

function missingImage(image: string, policy: PullPolicy): ExecutorError {
  const why = policy === 'never' ? ' and the pull policy "never" forbids to pull it' : ''
  return new ExecutorError(`The image "${image}" is not on this machine${why}`, 'runner_configuration_error')
}

function asImageFailure(error: unknown, image: string, signal: AbortSignal): ExecutorError {
  signal.throwIfAborted()
  if (error instanceof ExecutorError) return error
  if (isEngineGone(error)) return engineFailure(error, `looking for the image "${image}"`)
  const words = engineWords(error)
  return new ExecutorError(`The image "${image}" cannot be pulled: ${words}`, pullFailureReason(words), {
    cause: error,
  })
}

/** Errors of the socket have a code; what the engine says about a registry has a status, or came in its stream. */
function isEngineGone(error: unknown): boolean {
  return statusOf(error) === undefined && error instanceof Error && 'code' in error
}
