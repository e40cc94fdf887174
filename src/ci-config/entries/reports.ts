import type { PlannedReports } from '../plan.js'
import { isMap } from '../yaml/config-value.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { readName, stringsOf } from './simple-values.js'

/** Reports that are files of one job and nothing more: they are stored and handed out (CI language, 3.4). */
const PLAIN = [
  ...['junit', 'codequality', 'terraform', 'accessibility', 'annotations', 'metrics', 'lsif'],
  ...['performance', 'browser_performance', 'load_performance', 'sast', 'secret_detection'],
  ...['dependency_scanning', 'container_scanning', 'cluster_image_scanning', 'dast', 'coverage_fuzzing'],
  ...['api_fuzzing', 'cyclonedx', 'license_scanning', 'requirements', 'requirements_v2', 'repository_xray'],
  'sarif',
]

/** Report types to the paths that hold them. */
export const readReports: Reader<PlannedReports> = (value, place) => {
  if (!isMap(value)) return place.refuse('should be a hash')
  const read = readMapEntry(shape, value, place)
  if (!read) return null
  const { coverage_report: coverage, ...plain } = read
  return coverage ? { ...plain, [coverage.format]: [coverage.path] } : plain
}

const readPaths: Reader<string[]> = (value, place) => {
  const paths = typeof value === 'string' ? [value] : stringsOf(value)
  return paths ?? place.refuse('should be an array of strings or a string')
}

const FORMATS = ['cobertura', 'jacoco']

const readFormat: Reader<string> = (value, place) =>
  typeof value === 'string' && FORMATS.includes(value)
    ? value
    : place.refuse(`must be one of supported formats: ${FORMATS.join(', ')}.`)

const readCoverage: Reader<{ format: string; path: string }> = (value, place) => {
  if (!isMap(value)) return place.refuse('should be a hash')
  const read = readMapEntry(coverageShape, value, place, (map) => {
    for (const key of ['coverage_format', 'path']) {
      if ((map.get(key) ?? null) === null) place.attribute(key).refuse("can't be blank")
    }
  })
  return read && { format: read.coverage_format ?? '', path: read.path ?? '' }
}

const coverageShape = {
  attributes: { coverage_format: readFormat, path: readName },
  children: {},
  unsupported: [],
}

const shape = {
  attributes: Object.fromEntries(PLAIN.map((type) => [type, readPaths])),
  children: { coverage_report: readCoverage },
  // Its variables would have to reach the jobs that come after.
  unsupported: ['dotenv'],
}
