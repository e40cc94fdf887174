import { limits } from '../limits.js'
import type { PlannedForeignNeed, PlannedNeed } from '../plan.js'
import { type ConfigMap, type ConfigValue, isList, isMap } from '../yaml/config-value.js'
import type { Location } from './location.js'
import { readMapEntry, requireWritten } from './map-entry.js'
import { type ParallelMatrix, readMatrixParallel } from './parallel.js'
import type { Reader } from './reader.js'
import { readBoolean, readName, setItems } from './simple-values.js'

/** A need in the same pipeline, before names are expanded to instances. */
export interface NeedEntry extends PlannedNeed {
  /** Only the instances with these values; absent = all of them. */
  matrix?: ParallelMatrix
}

/** A need in another pipeline or project, before its name is expanded to instances. */
export type ForeignNeedEntry = PlannedForeignNeed & Pick<NeedEntry, 'matrix'>

/** The entries of `needs`, by kind (CI language, 3.8). */
export interface Needs {
  jobs: NeedEntry[]
  foreign: ForeignNeedEntry[]
  /** Paths of projects whose latest pipeline status a trigger job mirrors. */
  mirrors: string[]
}

/** Needs in a rule: only jobs of the same pipeline. */
export const readNeeds: Reader<NeedEntry[]> = (value, location) =>
  readOfKinds(value, location, ['job'])?.jobs ?? null

/** Needs of a job with a script. */
export const readJobNeeds: Reader<Needs> = (value, location) =>
  readOfKinds(value, location, ['job', 'cross_dependency'])

/** Needs of a job that starts or mirrors another pipeline. */
export const readTriggerNeeds: Reader<Needs> = (value, location) =>
  readOfKinds(value, location, ['job', 'bridge'])

type Need =
  | { kind: 'job'; need: NeedEntry }
  | { kind: 'cross_dependency'; need: ForeignNeedEntry }
  | { kind: 'bridge'; project: string }

/** A single entry may be written without a list. */
function readOfKinds(
  value: Parameters<Reader<Needs>>[0],
  location: Location,
  allowed: readonly Need['kind'][],
): Needs | null {
  if (isMap(value) && value.size === 0) return location.refuse('can not be an empty Hash')
  const items = isMap(value) ? [{ value, position: [] }] : isList(value) ? setItems(value) : undefined
  if (!items) return location.refuse('can only be a Hash or an Array')
  const read = items.map((item) => readNeed(item.value, location.item('need', item.position)))
  const needs = read.filter((need) => need !== null)
  if (needs.length < read.length) return null
  const others = needs.map(({ kind }) => kind).filter((kind) => !allowed.includes(kind))
  if (others.length > 0) return location.refuse(`uses invalid types: ${[...new Set(others)].join(', ')}`)
  return withinLimits(byKind(needs), location)
}

function byKind(needs: Need[]): Needs {
  return {
    jobs: needs.flatMap((need) => (need.kind === 'job' ? [need.need] : [])),
    foreign: needs.flatMap((need) => (need.kind === 'cross_dependency' ? [need.need] : [])),
    mirrors: needs.flatMap((need) => (need.kind === 'bridge' ? [need.project] : [])),
  }
}

function withinLimits(needs: Needs, location: Location): Needs | null {
  for (const kind of ['pipeline', 'project'] as const) {
    if (needs.foreign.filter((need) => need.kind === kind).length > limits.foreignNeeds) {
      return location.refuse(`must be less than or equal to ${limits.foreignNeeds}`)
    }
  }
  // Each one is looked up when the job is dispatched.
  const instances = needs.foreign.reduce((sum, { matrix }) => sum + (matrix?.count ?? 1), 0)
  return instances > limits.needs ? location.refuse(`must be less than or equal to ${limits.needs}`) : needs
}

/** The keys determine the kind. */
function readNeed(item: ConfigValue, location: Location): Need | null {
  if (typeof item === 'string') {
    const name = readName(item, location)
    return name === null ? null : { kind: 'job', need: { name, artifacts: true, optional: false } }
  }
  if (!isMap(item)) return location.refuseKind('has an unsupported type')
  if (item.has('project')) return readProjectNeed(item, location)
  if (item.has('pipeline'))
    return item.has('job') ? readPipelineNeed(item, location) : readMirror(item, location)
  return item.has('job') ? readJobNeed(item, location) : location.refuseKind('has an unsupported type')
}

function readJobNeed(item: ConfigMap, location: Location): Need | null {
  const read = readMapEntry(neededJobShape, item, location, (map) => requireWritten(map, ['job'], location))
  if (!read) return null
  const { job: name = '', artifacts = true, optional = false, parallel } = read
  return { kind: 'job', need: { name, artifacts, optional, ...(parallel && { matrix: parallel }) } }
}

function readPipelineNeed(item: ConfigMap, location: Location): Need | null {
  const read = readMapEntry(neededPipelineShape, item, location, (map) =>
    requireWritten(map, ['pipeline', 'job'], location),
  )
  if (!read) return null
  const { pipeline = '', job = '', artifacts = true, optional = false, parallel } = read
  const need = { kind: 'pipeline' as const, pipeline, job, artifacts, ...(optional && { optional }) }
  return { kind: 'cross_dependency', need: { ...need, ...(parallel && { matrix: parallel }) } }
}

function readProjectNeed(item: ConfigMap, location: Location): Need | null {
  const read = readMapEntry(neededProjectShape, item, location, (map) =>
    requireWritten(map, ['project', 'job', 'ref'], location),
  )
  if (!read) return null
  const { project = '', job = '', ref = '', artifacts = true, parallel } = read
  const need = { kind: 'project' as const, project, ref, job, artifacts }
  return { kind: 'cross_dependency', need: { ...need, ...(parallel && { matrix: parallel }) } }
}

function readMirror(item: ConfigMap, location: Location): Need | null {
  const read = readMapEntry(mirroredProjectShape, item, location, (map) =>
    requireWritten(map, ['pipeline'], location),
  )
  return read && { kind: 'bridge', project: read.pipeline ?? '' }
}

/** An id may be a number. */
const readPipelineId: Reader<string> = (value, location) =>
  readName(typeof value === 'bigint' ? String(value) : value, location)

export const neededJobShape = {
  attributes: { job: readName, artifacts: readBoolean, optional: readBoolean },
  children: { parallel: readMatrixParallel },
}

export const neededPipelineShape = {
  attributes: { pipeline: readPipelineId, job: readName, artifacts: readBoolean, optional: readBoolean },
  children: { parallel: readMatrixParallel },
}

export const neededProjectShape = {
  attributes: { project: readName, job: readName, ref: readName, artifacts: readBoolean },
  children: { parallel: readMatrixParallel },
}

export const mirroredProjectShape = { attributes: { pipeline: readName }, children: {} }
