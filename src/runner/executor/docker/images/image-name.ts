import { globMatcher } from '../../../../lib/glob.js'
import type { ExecutorJob } from '../../executor.js'

/** The image that the job names, else the default image of the runner. */
export function imageOf(
  { image, expand }: Pick<ExecutorJob, 'image' | 'expand'>,
  own: { image: string },
): string {
  return image?.name || (expand?.(own.image) ?? own.image)
}

const MAX_NAME_LENGTH = 512
const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.|$))+$/
const PORT = /^:\d{1,5}$/
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*$/
const TAG = /^:\w[\w.-]{0,127}$/
const DIGEST = /^@[a-z0-9]+(?:[+._-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/

/**
 * Whether this is a valid image name. Names come from jobs and become part of a request path: `../containers/x`
 * would access another resource of the engine.
 */
export function isImageName(name: string): boolean {
  if (name.length > MAX_NAME_LENGTH) return false
  if (isImageId(name)) return true
  const [, path = '', tag = '', digest = ''] = /^([^@]*?)(:[^:/@]*)?(@.*)?$/.exec(name) ?? []
  const [first = '', ...rest] = path.split('/')
  const isHost = rest.length > 0 && isHostWithPort(first)
  const components = isHost ? rest : [first, ...rest]
  return (
    components.every((component) => COMPONENT.test(component)) &&
    (tag === '' || TAG.test(tag)) &&
    (digest === '' || DIGEST.test(digest))
  )
}

function isHostWithPort(text: string): boolean {
  const [, host = '', port = ''] = /^([^:]*)(:.*)?$/.exec(text) ?? []
  return HOST.test(host) && (port === '' || PORT.test(port))
}

/** An image ID can only refer to a local image (runner protocol, 7.5). */
export function isImageId(image: string): boolean {
  return /^(sha256:)?[0-9a-f]{64}$/.test(image)
}

/** Adds `:latest` to a name without tag and digest. A pull without a tag would fetch every tag. */
export function withDefaultTag(image: string): string {
  const lastPart = image.slice(image.lastIndexOf('/') + 1)
  return isImageId(image) || lastPart.includes(':') || image.includes('@') ? image : `${image}:latest`
}

/**
 * Whether a job may use the image. `own` is the default image of the runner, which is always allowed. Without
 * patterns, all images are allowed (runner protocol, 7.5).
 */
export function isImageAllowed(image: string, patterns: string[], own: string): boolean {
  return image === own || patterns.length === 0 || isMatchingImage(image, patterns)
}

export function isMatchingImage(image: string, patterns: string[]): boolean {
  return patterns.some((pattern) => globMatcher(pattern)(image))
}
