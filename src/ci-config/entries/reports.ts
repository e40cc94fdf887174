import type { PlannedReports } from '../plan.js'
import { isMap } from '../yaml/config-value.js'
import { readMapEntry, requireWritten } from './map-entry.js'
import type { Reader } from './reader.js'
import { readName, readStringOrStrings } from './simple-values.js'

/** Reports of scanners. */
export const SCAN_REPORTS = [
  'sast',
  'secret_detection',
  'dependency_scanning',
  'container_scanning',
  'cluster_image_scanning',
  'dast',
  'coverage_fuzzing',
  'api_fuzzing',
] as const

/** Reports that are only stored and downloaded (CI language, 3.4). */
export const STORED_REPORTS = [
  'junit',
  'dotenv',
  'codequality',
  'terraform',
  'accessibility',
  'annotations',
  'metrics',
  'lsif',
  'performance',
  'browser_performance',
  'load_performance',
  ...SCAN_REPORTS,
  'cyclonedx',
  'license_scanning',
  'requirements',
  'requirements_v2',
  'repository_xray',
  'sarif',
] as const

/** The paths of each report type; `artifacts` refuses values that are no map. */
export const readReports: Reader<PlannedReports> = (value, location) => {
  if (!isMap(value)) return null
  const read = readMapEntry(reportsShape, value, location)
  if (!read) return null
  const { coverage_report: coverage, ...plain } = read
  return coverage ? { ...plain, [coverage.format]: [coverage.path] } : plain
}

export const COVERAGE_FORMATS = ['cobertura', 'jacoco']

const readFormat: Reader<string> = (value, location) =>
  typeof value === 'string' && COVERAGE_FORMATS.includes(value)
    ? value
    : location
        .suggesting({ words: typeof value === 'string' ? [value] : [], among: COVERAGE_FORMATS })
        .refuse(`must be one of supported formats: ${COVERAGE_FORMATS.join(', ')}.`)

const readCoverage: Reader<{ format: string; path: string }> = (value, location) => {
  if (!isMap(value)) return location.refuse('should be a hash')
  const read = readMapEntry(coverageReportShape, value, location, (map) =>
    requireWritten(map, ['coverage_format', 'path'], location),
  )
  return read && { format: read.coverage_format ?? '', path: read.path ?? '' }
}

export const coverageReportShape = {
  attributes: { coverage_format: readFormat, path: readName },
  children: {},
}

const reportsShape = {
  attributes: Object.fromEntries(STORED_REPORTS.map((type) => [type, readStringOrStrings])),
  children: { coverage_report: readCoverage },
}
