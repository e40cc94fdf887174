import { isExpiry } from '../duration.js'
import { hasNameCharacters, WRONG_NAME } from '../environment-name.js'
import { limits } from '../limits.js'
import type { ConfigData, PlannedEnvironment } from '../plan.js'
import { dataOf } from '../yaml/config-data.js'
import { type ConfigMap, isMap } from '../yaml/config-value.js'
import type { Location } from './location.js'
import { mapOf, readMapEntry, requireWritten } from './map-entry.js'
import type { Reader } from './reader.js'
import { mentionsVariable, oneOf, readBoolean, readName, readString, shortString } from './simple-values.js'

export const ENVIRONMENT_TIERS = ['production', 'staging', 'testing', 'development', 'other']
export const ENVIRONMENT_ACTIONS: readonly PlannedEnvironment['action'][] = [
  'start',
  'stop',
  'prepare',
  'verify',
  'access',
]

/**
 * The environment of the job; a string is short for a map with a name (CI language, 3.6). Nothing is expanded
 * yet.
 */
export const readEnvironment: Reader<PlannedEnvironment> = (value, location) => {
  const written = environmentMap(value)
  if (!written) return location.refuse('should be a hash or a string')
  const read = readMapEntry(environmentShape, written, location, checkEnvironment)
  return (
    read && {
      name: read.name ?? '',
      action: read.action ?? 'start',
      ...(read.url !== undefined && { url: read.url }),
      ...(read.on_stop !== undefined && { onStop: read.on_stop }),
      ...(read.auto_stop_in !== undefined && { autoStopIn: read.auto_stop_in }),
      ...(read.deployment_tier !== undefined && { tier: read.deployment_tier }),
      ...(read.kubernetes && { kubernetes: read.kubernetes }),
    }
  )
}

function checkEnvironment(map: ConfigMap, location: Location): void {
  requireWritten(map, ['name'], location)
  const cluster = map.get('kubernetes') ?? null
  if (cluster !== null && !isMap(cluster)) location.attribute('kubernetes').refuse('should be a hash')
}

function environmentMap(value: Parameters<typeof isMap>[0]): ConfigMap | undefined {
  if (typeof value === 'string') return new Map([['name', value]])
  return isMap(value) ? value : undefined
}

const readEnvironmentName: Reader<string> = (value, location) => {
  if (typeof value !== 'string') return location.refuse(WRONG_NAME)
  const name = readName(value, location)
  if (name === null) return null
  if (name.length > limits.nameLength) return shortString(limits.nameLength)(name, location)
  return hasNameCharacters(name) ? name : location.refuse(WRONG_NAME)
}

const readAction = oneOf(ENVIRONMENT_ACTIONS, 'should be start, stop, prepare, verify, or access')

const readAutoStop: Reader<string> = (value, location) => {
  if (typeof value !== 'string') return location.refuse('should be a string')
  return mentionsVariable(value) || isExpiry(value) ? value : location.refuse('should be a duration')
}

const readTier: Reader<string> = (value, location) => {
  if (typeof value !== 'string') return location.refuse('should be a string')
  if (mentionsVariable(value) || ENVIRONMENT_TIERS.includes(value)) return value
  return location
    .suggesting({ words: [value], among: ENVIRONMENT_TIERS })
    .refuse(`must be one of ${ENVIRONMENT_TIERS.join(', ')}`)
}

export const managedResourcesShape = { attributes: { enabled: readBoolean }, children: {} }

export const dashboardShape = {
  attributes: { namespace: readString, flux_resource_path: readString },
  children: {},
}

export const clusterShape = {
  attributes: { agent: readString, namespace: readString, flux_resource_path: readString },
  children: { managed_resources: mapOf(managedResourcesShape), dashboard: mapOf(dashboardShape) },
}

/** Checks the structure of a map and keeps it unchanged. */
const readKubernetes: Reader<Readonly<Record<string, ConfigData>>> = (value, location) => {
  if (!isMap(value)) return null
  const read = readMapEntry(clusterShape, value, location)
  return read && Object.fromEntries([...value].map(([key, item]) => [key, dataOf(item)]))
}

export const environmentShape = {
  attributes: {
    name: readEnvironmentName,
    url: shortString(limits.nameLength),
    action: readAction,
    on_stop: readName,
    auto_stop_in: readAutoStop,
    deployment_tier: readTier,
  },
  children: { kubernetes: readKubernetes },
}
