import { isExpiry } from '../duration.js'
import type { PlannedArtifacts } from '../plan.js'
import { isMap } from '../yaml/config-value.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { readReports } from './reports.js'
import { oneOf, readBoolean, readString, readStrings } from './simple-values.js'

/** Files that a job leaves behind (CI language, 3.4). */
export const readArtifacts: Reader<PlannedArtifacts> = (value, place) => {
  if (!isMap(value)) return place.refuse('should be a hash')
  const read = readMapEntry(shape, value, place)
  return (
    read && {
      paths: read.paths ?? [],
      exclude: read.exclude ?? [],
      untracked: read.untracked ?? false,
      when: read.when ?? 'on_success',
      ...(read.name !== undefined && { name: read.name }),
      ...(read.expire_in !== undefined && { expireIn: read.expire_in }),
      ...(read.reports && { reports: read.reports }),
    }
  )
}

const readExpiry: Reader<string> = (value, place) =>
  typeof value === 'string' && isExpiry(value) ? value : place.refuse('should be a duration')

const shape = {
  attributes: {
    name: readString,
    untracked: readBoolean,
    paths: readStrings,
    exclude: readStrings,
    when: oneOf(['on_success', 'on_failure', 'always'] as const),
    expire_in: readExpiry,
  },
  children: { reports: readReports },
  unsupported: ['expose_as', 'public', 'access'],
}
