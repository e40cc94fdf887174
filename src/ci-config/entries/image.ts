import type { PlannedImage } from '../plan.js'
import { type ConfigMap, isMap, type Written } from '../yaml/config-value.js'
import { type ReadMap, readMapEntry } from './map-entry.js'
import type { Place } from './place.js'
import { readPullPolicy } from './pull-policy.js'
import type { Reader } from './reader.js'
import { readName, readStrings, shortString } from './simple-values.js'

/** The image that a job runs in (CI language, 3.7). */
export const readImage: Reader<PlannedImage> = (value, place) => {
  const written = imageMap(value)
  if (!written) return place.refuse('should be a hash or a string')
  const image = readMapEntry(imageShape, written, place, requireName)
  return image && plannedImage(image)
}

const readDocker: Reader<NonNullable<PlannedImage['docker']>> = (value, place) =>
  isMap(value) ? readMapEntry(dockerShape, value, place) : place.refuse('should be a hash')

const dockerShape = {
  attributes: { platform: shortString(64), user: shortString(255) },
  children: {},
  unsupported: [],
}

/** Also what a service has, among others. */
export const imageShape = {
  attributes: { name: readName, entrypoint: readStrings },
  children: { pull_policy: readPullPolicy, docker: readDocker },
  unsupported: ['kubernetes', 'ports'],
}

/** A string is short for a map with a name. */
export function imageMap(value: Written): ConfigMap | undefined {
  if (typeof value === 'string') return new Map([['name', value]])
  return isMap(value) ? value : undefined
}

export function requireName(map: ConfigMap, place: Place): void {
  if ((map.get('name') ?? null) === null) place.attribute('name').refuse("can't be blank")
}

export function plannedImage(
  read: ReadMap<(typeof imageShape)['attributes'], (typeof imageShape)['children']>,
): PlannedImage {
  return {
    name: read.name ?? '',
    ...(read.entrypoint && { entrypoint: read.entrypoint }),
    ...(read.pull_policy && { pullPolicy: read.pull_policy }),
    ...(read.docker && { docker: read.docker }),
  }
}
