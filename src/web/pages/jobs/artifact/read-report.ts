import { xmlEvents } from './xml-events.js'

export interface ReportedCase {
  suite: string
  name: string
  classname: string
  status: 'success' | 'failed' | 'skipped'
  /** In seconds; undefined if the report has none. */
  seconds: number | undefined
  /** Of a failure. */
  output: string
}

export interface CoveredFile {
  path: string
  covered: number
  lines: number
}

export type Report =
  /** Those that failed come first. */
  { kind: 'tests'; cases: ReportedCase[] } | { kind: 'coverage'; files: CoveredFile[] }

const MAX_CHARACTERS = 8 * 1024 * 1024

/** Reads a report of tests (JUnit) or of coverage (Cobertura, LCOV). Undefined for other files. */
export function readReport(path: string, text: string): Report | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const start = text.slice(0, 4000)
  if (/\.xml$/i.test(path) && /<testsuites?[\s>]/.test(start)) return readJunit(text)
  if (/\.xml$/i.test(path) && /<coverage\s[^>]*line-rate=/.test(start)) return readCobertura(text)
  if (/(?:\.info|\.lcov)$/i.test(path) && /^(?:TN|SF):/m.test(start)) return readLcov(text)
  return undefined
}

function readJunit(xml: string): Report {
  const suites: string[] = []
  const cases: ReportedCase[] = []
  let current: ReportedCase | undefined
  let isInFailure = false
  for (const event of xmlEvents(xml)) {
    if (event.kind === 'text') {
      if (current && isInFailure) current.output += event.text
      continue
    }
    const { name } = event
    const isFailure = name === 'failure' || name === 'error'
    if (event.kind === 'close') {
      if (name === 'testsuite') suites.pop()
      if (name === 'testcase') current = undefined
      if (isFailure) isInFailure = false
      continue
    }
    const { attributes, isEmpty } = event
    if (name === 'testsuite' && !isEmpty) suites.push(attributes['name'] ?? '')
    if (name === 'testcase') {
      const reported = caseOf(attributes, suites.at(-1) ?? '')
      cases.push(reported)
      current = isEmpty ? undefined : reported
    }
    if (!current) continue
    if (name === 'skipped') current.status = 'skipped'
    if (!isFailure) continue
    current.status = 'failed'
    const { message } = attributes
    if (message !== undefined) current.output += `${message}\n`
    isInFailure = !isEmpty
  }
  for (const each of cases) each.output = each.output.trim()
  const isFailed = ({ status }: ReportedCase) => status === 'failed'
  return { kind: 'tests', cases: [...cases.filter(isFailed), ...cases.filter((each) => !isFailed(each))] }
}

function caseOf(attributes: Record<string, string>, suite: string): ReportedCase {
  const seconds = Number.parseFloat(attributes['time'] ?? '')
  return {
    suite,
    name: attributes['name'] ?? '',
    classname: attributes['classname'] ?? '',
    status: 'success',
    seconds: Number.isNaN(seconds) ? undefined : seconds,
    output: '',
  }
}

/** Classes of one file are added up; a line that several of them name counts once. */
function readCobertura(xml: string): Report {
  const files = new Map<string, Map<string, boolean>>()
  let lines: Map<string, boolean> | undefined
  let isInMethod = false
  for (const event of xmlEvents(xml)) {
    if (event.kind === 'text') continue
    if (event.kind === 'close') {
      if (event.name === 'class') lines = undefined
      if (event.name === 'methods') isInMethod = false
      continue
    }
    const { name, attributes, isEmpty } = event
    if (name === 'class') {
      const path = attributes['filename'] ?? attributes['name'] ?? ''
      lines = files.get(path) ?? new Map<string, boolean>()
      files.set(path, lines)
    }
    if (name === 'methods') isInMethod = !isEmpty
    // Lines of methods are listed a second time for the class.
    if (name !== 'line' || !lines || isInMethod) continue
    const { number = '', hits = '0' } = attributes
    lines.set(number, (lines.get(number) ?? false) || Number(hits) > 0)
  }
  return { kind: 'coverage', files: [...files].map(([path, hits]) => fileOf(path, hits)) }
}

function readLcov(text: string): Report {
  const files = new Map<string, Map<string, boolean>>()
  let lines: Map<string, boolean> | undefined
  for (const row of text.split('\n')) {
    const [, key, value = ''] = /^(SF|DA|end_of_record):?(.*)$/.exec(row.trimEnd()) ?? []
    if (key === 'SF') {
      lines = files.get(value) ?? new Map<string, boolean>()
      files.set(value, lines)
    } else if (key === 'DA' && lines) {
      const [number = '', hits = '0'] = value.split(',')
      lines.set(number, (lines.get(number) ?? false) || Number(hits) > 0)
    } else if (key === 'end_of_record') lines = undefined
  }
  return { kind: 'coverage', files: [...files].map(([path, hits]) => fileOf(path, hits)) }
}

function fileOf(path: string, hits: ReadonlyMap<string, boolean>): CoveredFile {
  return { path, covered: [...hits.values()].filter(Boolean).length, lines: hits.size }
}

/** The share of covered lines, in percent; undefined without lines. */
export function percentOf({ covered, lines }: Pick<CoveredFile, 'covered' | 'lines'>): number | undefined {
  return lines === 0 ? undefined : (covered / lines) * 100
}
