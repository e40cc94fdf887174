import { isExpiry } from '../duration.js'
import { limits } from '../limits.js'
import type { PlannedArtifacts } from '../plan.js'
import { type ConfigMap, isList, isMap, isPresent } from '../yaml/config-value.js'
import type { Location } from './location.js'
import { readMapEntry, refuseTogether } from './map-entry.js'
import type { Reader } from './reader.js'
import { readReports } from './reports.js'
import { oneOf, readBoolean, readString, readStrings } from './simple-values.js'
import { UPLOAD_WHEN } from './when.js'

/** Files that a job uploads (CI language, 3.4). */
export const readArtifacts: Reader<PlannedArtifacts> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  const read = readMapEntry(artifactsShape, value, location, checkArtifacts)
  if (!read) return null
  const access = read.access ?? (read.public === false ? 'developer' : undefined)
  return {
    paths: read.paths ?? [],
    exclude: read.exclude ?? [],
    untracked: read.untracked ?? false,
    when: read.when ?? 'on_success',
    ...(read.name !== undefined && { name: read.name }),
    ...(read.expire_in !== undefined && { expireIn: read.expire_in }),
    ...(read.reports && { reports: read.reports }),
    ...(read.expose_as !== undefined && { exposeAs: read.expose_as }),
    ...(access && { access }),
  }
}

function checkArtifacts(map: ConfigMap, location: Location): void {
  refuseTogether(map, ['access', 'public'], location)
  const reports = map.get('reports') ?? null
  if (reports !== null && !isMap(reports)) location.attribute('reports').refuse('should be a hash')
  if ((map.get('expose_as') ?? null) === null) return
  const paths = map.get('paths')
  if (!isPresent(paths)) location.attribute('paths').refuse("can't be blank")
  else if (isList(paths) && paths.some((path) => typeof path === 'string' && path.includes('*'))) {
    location.attribute('paths').refuse("can't contain '*' when used with 'expose_as'")
  }
}

const readExpiry: Reader<string> = (value, location) =>
  typeof value === 'string' && isExpiry(value) ? value : location.refuse('should be a duration')

const readExposeAs: Reader<string> = (value, location) => {
  if (typeof value !== 'string') return location.refuse('should be a string')
  if (value.length > limits.exposeAsLength) {
    return location.refuse(`is too long (maximum is ${limits.exposeAsLength} characters)`)
  }
  if (/^\w[-\w ]*$/.test(value)) return value
  return location.refuse("can contain only letters, digits, '-', '_' and spaces")
}

export const ARTIFACT_ACCESS = ['none', 'developer', 'maintainer', 'all'] as const

export const artifactsShape = {
  attributes: {
    name: readString,
    untracked: readBoolean,
    paths: readStrings,
    exclude: readStrings,
    expose_as: readExposeAs,
    when: oneOf(UPLOAD_WHEN),
    expire_in: readExpiry,
    public: readBoolean,
    access: oneOf(ARTIFACT_ACCESS),
  },
  children: { reports: readReports },
}
