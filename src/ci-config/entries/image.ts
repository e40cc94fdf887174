import type { PlannedImage } from '../plan.js'
import { type ConfigMap, isMap, type Written } from '../yaml/config-value.js'
import type { Location } from './location.js'
import { type ReadMap, readMapEntry, requireWritten } from './map-entry.js'
import { readPullPolicy } from './pull-policy.js'
import type { Reader } from './reader.js'
import { type Check, objectOf, SchemaLocation, textBetween } from './schema.js'
import { readName, readStrings } from './simple-values.js'

/** The image that a job runs in (CI language, 3.7). */
export const readImage: Reader<PlannedImage> = (value, location) => {
  const written = imageMap(value)
  if (!written) return location.refuse('should be a hash or a string')
  const image = readMapEntry(imageShape, written, location, checkImage)
  return image && plannedImage(image)
}

/** A number is a user id. */
const checkKubernetesUser: Check = (value, at) => {
  if (typeof value === 'string') textBetween(1, 255)(value, at)
  else if (typeof value !== 'bigint') at.refuse('value', 'is not one of the types: ["string", "integer"]')
}

export const dockerShape = {
  attributes: { platform: textBetween(1, 64), user: textBetween(1, 255) },
  children: {},
}

export const kubernetesShape = { attributes: { user: checkKubernetesUser }, children: {} }

const checkOptions = objectOf({
  attributes: { docker: objectOf(dockerShape), kubernetes: objectOf(kubernetesShape) },
  children: {},
})

/** Options of an executor, which `checkImage` has accepted: texts, and a number for a user id. */
const readOptions: Reader<Record<string, string>> = (value) =>
  Object.fromEntries(
    [...(isMap(value) ? value : [])].flatMap(([key, text]) =>
      typeof text === 'string' ? [[key, text]] : [],
    ),
  )

const readKubernetes: Reader<{ user?: string | number }> = (value, location) => {
  const user = isMap(value) ? value.get('user') : undefined
  return typeof user === 'bigint' ? { user: Number(user) } : readOptions(value, location)
}

/** Keywords that images and services share. */
export const imageShape = {
  attributes: { name: readName, entrypoint: readStrings },
  children: { pull_policy: readPullPolicy, docker: readOptions, kubernetes: readKubernetes },
  refused: ['ports'],
}

/** A string is short for a map with a name. */
export function imageMap(value: Written): ConfigMap | undefined {
  if (typeof value === 'string') return new Map([['name', value]])
  return isMap(value) ? value : undefined
}

/** Ports are only for interactive web terminals, never for jobs. */
export function checkImage(map: ConfigMap, location: Location): void {
  if (map.has('ports')) location.refuse('contains disallowed keys: ports')
  requireWritten(map, ['name'], location)
  const written = [...map].filter(([key, value]) => OPTIONS.has(key) && value !== null)
  checkOptions(new Map(written), new SchemaLocation(location, 'executor opts', []))
}

const OPTIONS: ReadonlySet<string> = new Set(['docker', 'kubernetes'])

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
