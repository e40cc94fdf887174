import type Docker from 'dockerode'

import { retry } from '../../../../lib/retry.js'
import type { JobLog } from '../../../trace/job-log.js'
import { ExecutorError } from '../../executor.js'
import type { CredentialSource } from '../credentials/credential-sources.js'
import { findCredentials } from '../credentials/find-credentials.js'
import { repositoryOf } from '../credentials/registry-path.js'
import { engineFailure, engineWords, isNotFound, statusOf } from '../engine.js'
import type { PullPolicy } from '../settings.js'
import { isImageId, isImageName } from './image-name.js'
import { type PrivateImages, refusalOf } from './private-images.js'
import { isPassing, pullFailureReason } from './pull-failure.js'
import type { SharedPulls } from './shared-pulls.js'

export interface FoundImage {
  id: string
  name: string
  /** `repository@sha256:…`. Undefined for an image that was not pulled from a registry. */
  digest: string | undefined
}

/** The context for finding images. Credentials and platform belong to one job or service. */
interface ImageFinder {
  docker: Docker
  pulls: SharedPulls
  /** Milliseconds before a pull is retried after a network error. */
  retryDelay: number
  privateImages: PrivateImages
  credentials: readonly CredentialSource[]
  /** For example `linux/arm64`. Undefined selects that of the engine. */
  platform: string | undefined
}

const PULL_ATTEMPTS = 3

/**
 * Obtains the image by the first policy that succeeds, and logs how (runner protocol, 7.5). Throws an
 * `ExecutorError` with the reason of the last failed policy.
 */
export async function findImage(
  finder: ImageFinder,
  image: string,
  policies: PullPolicy[],
  log: JobLog,
  signal: AbortSignal,
): Promise<FoundImage> {
  if (!isImageName(image)) {
    throw new ExecutorError(`"${image}" is not a valid image name`, 'runner_configuration_error')
  }
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
    const local = await findLocally(finder, image, policy, log, signal)
    if (local) return logUsedImage(local, log)
  }
  await pullImage(finder, image, log, signal)
  const pulled = await inspectImage(finder, image)
  if (!pulled) throw missingImage(image, policy)
  return logUsedImage(pulled, log)
}

/** Returns undefined if the image must be pulled. Throws if pulling is not allowed. */
async function findLocally(
  finder: ImageFinder,
  image: string,
  policy: PullPolicy,
  log: JobLog,
  signal: AbortSignal,
): Promise<FoundImage | undefined> {
  const local = await inspectImage(finder, image)
  const refusal = local && (await refusalOf(finder, local.references, log, signal))
  if (local && refusal === undefined) {
    if (policy === 'if-not-present') {
      log.plain('Using locally found image version due to "if-not-present" pull policy')
    }
    return local
  }
  if (refusal !== undefined) {
    log.warning(`The image ${image} on this machine is private, and the job has no access to it: ${refusal}`)
  }
  if (policy !== 'never' && !isImageId(image)) return undefined
  throw refusal === undefined ? missingImage(image, policy) : privateImage(image)
}

async function pullImage(
  finder: ImageFinder,
  image: string,
  log: JobLog,
  signal: AbortSignal,
): Promise<void> {
  const found = await findCredentials(finder.credentials, image, log)
  if (found) {
    log.plain(`Authenticating with credentials from ${found.source}`)
    await finder.privateImages.add(repositoryOf(image), found.givenBy)
  }
  log.plain(`Pulling docker image ${image} ...`)
  const onProgress = (line: string) => log.plain(`Pulling docker image ${image}: ${line}`)
  const options = { auth: found?.auth, platform: finder.platform }
  await retry(() => finder.pulls.pull(image, onProgress, signal, options), {
    attempts: PULL_ATTEMPTS,
    delay: finder.retryDelay,
    maximumDelay: finder.retryDelay * 5,
    // An error without a status means that the engine itself is unreachable. Its text has another meaning then.
    isWorthRetrying: (error) => !isEngineGone(error) && isPassing(engineWords(error)),
    signal,
  })
  if (!found) await finder.privateImages.remove(repositoryOf(image))
}

interface LocalImage extends FoundImage {
  /** All names under which the engine knows the image. Names with a digest come first. */
  references: string[]
}

/** Also returns undefined if the image with this name is for another platform. */
async function inspectImage(
  { docker, platform }: ImageFinder,
  image: string,
): Promise<LocalImage | undefined> {
  try {
    const found = await docker.getImage(image).inspect()
    if (platform && !isOfPlatform(found, platform)) return undefined
    const digests = listOf(found.RepoDigests)
    return {
      id: found.Id,
      name: image,
      digest: digests[0],
      references: [...digests, ...listOf(found.RepoTags)],
    }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/**
 * The engine may send null for an image that was not pulled from a registry, unlike the type of the client says.
 */
function listOf(names: string[] | null): string[] {
  return names ?? []
}

function logUsedImage(image: FoundImage, log: JobLog): FoundImage {
  const digest = image.digest === undefined ? '' : ` with digest ${image.digest}`
  log.plain(`Using docker image ${image.id} for ${image.name}${digest} ...`)
  return image
}

function missingImage(image: string, policy: PullPolicy): ExecutorError {
  const why = policy === 'never' ? ' and the pull policy "never" forbids pulling it' : ''
  return new ExecutorError(`The image "${image}" is not on this machine${why}`, 'runner_configuration_error')
}

function privateImage(image: string): ExecutorError {
  return new ExecutorError(
    `The image "${image}" is private: it was pulled with credentials that this job does not have`,
    'runner_configuration_error',
  )
}

function asImageFailure(error: unknown, image: string, signal: AbortSignal): ExecutorError {
  signal.throwIfAborted()
  if (error instanceof ExecutorError) return error
  if (isEngineGone(error)) return engineFailure(error, `looking up the image "${image}"`)
  const words = engineWords(error)
  return new ExecutorError(`The image "${image}" cannot be pulled: ${words}`, pullFailureReason(words), {
    cause: error,
  })
}

/** Socket errors have a code. Registry errors that the engine reports have a status, or arrive in the stream. */
function isEngineGone(error: unknown): boolean {
  return statusOf(error) === undefined && error instanceof Error && 'code' in error
}

/**
 * Alternative names for the processors of a `platform`. The names on the right are those of engines and registries.
 */
const ARCHITECTURES: Record<string, string> = {
  x86_64: 'amd64',
  'x86-64': 'amd64',
  aarch64: 'arm64',
  armhf: 'arm',
}

/** Whether an image is for `os/architecture[/variant]`. Missing parts match anything. */
function isOfPlatform(
  image: { Os: string; Architecture: string; Variant?: string },
  platform: string,
): boolean {
  const [os, architecture, variant] = partsOf(platform.toLowerCase())
  return (
    (os === undefined || image.Os === os) &&
    (architecture === undefined || image.Architecture === architecture) &&
    (variant === undefined || !image.Variant || image.Variant === variant)
  )
}

/** A single part is either an operating system or a processor, as for the engine. */
function partsOf(platform: string): (string | undefined)[] {
  const parts = platform.split('/')
  const [os, architecture, variant] =
    parts.length === 1 && !['linux', 'windows'].includes(platform) ? [undefined, platform] : parts
  return [os, architecture && (ARCHITECTURES[architecture] ?? architecture), variant]
}
