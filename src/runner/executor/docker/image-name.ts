import { globMatcher } from '../../../lib/glob.js'
import type { ExecutorJob } from '../executor.js'

/** The image that the job names, else the runner's own. */
export function imageOf(
  { image, expand }: Pick<ExecutorJob, 'image' | 'expand'>,
  own: { image: string },
): string {
  return image?.name || (expand?.(own.image) ?? own.image)
}

/** An image id is only ever found on the machine (runner protocol, 7.5). */
export function isImageId(image: string): boolean {
  return /^(sha256:)?[0-9a-f]{64}$/.test(image)
}

/** With `:latest` when the name has neither tag nor digest: a pull without a tag would fetch every tag. */
export function withDefaultTag(image: string): string {
  const lastPart = image.slice(image.lastIndexOf('/') + 1)
  return isImageId(image) || lastPart.includes(':') || image.includes('@') ? image : `${image}:latest`
}

/** `own` is the runner's own image, which is always allowed; no patterns allow all (runner protocol, 7.5). */
export function isImageAllowed(image: string, patterns: string[], own: string): boolean {
  return image === own || patterns.length === 0 || isMatchingImage(image, patterns)
}

export function isMatchingImage(image: string, patterns: string[]): boolean {
  return patterns.some((pattern) => globMatcher(pattern)(image))
}
