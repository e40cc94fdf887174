import type { PlannedImage } from '../plan.js'
import { type ConfigMap, isMap, type Written } from '../yaml/config-value.js'
import { mapOf, type ReadMap, readMapEntry, requireWritten } from './map-entry.js'
import type { Place } from './place.js'
import { readPullPolicy } from './pull-policy.js'
import type { Reader } from './reader.js'
import { filledString, readName, readStrings } from './simple-values.js'

/** The image that a job runs in (CI language, 3.7). */
export const readImage: Reader<PlannedImage> = (value, place) => {
  const written = imageMap(value)
  if (!written) return place.refuse('should be a hash or a string')
  const image = readMapEntry(imageShape, written, place, checkImage)
  return image && plannedImage(image)
}

/** A number is a user id. */
const readKubernetesUser: Reader<string | number> = (value, place) => {
  if (typeof value === 'bigint') return Number(value)
  return filledString(255)(value, place)
}

export const dockerShape = {
  attributes: { platform: filledString(64), user: filledString(255) },
  children: {},
}

export const kubernetesShape = { attributes: { user: readKubernetesUser }, children: {} }

/** Keywords that images and services share. */
export const imageShape = {
  attributes: { name: readName, entrypoint: readStrings },
  children: { pull_policy: readPullPolicy, docker: mapOf(dockerShape), kubernetes: mapOf(kubernetesShape) },
  refused: ['ports'],
}

/** A string is short for a map with a name. */
export function imageMap(value: Written): ConfigMap | undefined {
  if (typeof value === 'string') return new Map([['name', value]])
  return isMap(value) ? value : undefined
}

/** Ports are only for interactive web terminals, never for jobs. */
export function checkImage(map: ConfigMap, place: Place): void {
  if (map.has('ports')) place.refuse('contains disallowed keys: ports')
  requireWritten(map, ['name'], place)
}

export function plannedImage(
  read: ReadMap<(typeof imageShape)['attributes'], (typeof imageShape)['children']>,
): PlannedImage {
  return {
    name: read.name ?? '',
    ...(read.entrypoint && { entrypoint: read.entrypoint }),
    ...(read.pull_policy && { pullPolicy: read.pull_policy }),
    ...(read.docker && { docker: read.docker }),
    ...(read.kubernetes && { kubernetes: read.kubernetes }),
  }
}
