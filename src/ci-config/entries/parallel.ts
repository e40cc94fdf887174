import { limits } from '../limits.js'
import { type ConfigMap, type ConfigValue, isList, isMap } from '../yaml/config-value.js'
import type { Location } from './location.js'
import { readMapEntry, requireKeys } from './map-entry.js'
import type { Reader } from './reader.js'
import { integerBetween } from './simple-values.js'

/** A variable of a matrix with its values; at least one. */
export interface MatrixAxis {
  name: string
  values: readonly string[]
}

/** The number of instances of a job (CI language, 3.12). */
export type Parallel = ParallelCount | ParallelMatrix

interface ParallelCount {
  kind: 'count'
  count: number
}

export interface ParallelMatrix {
  kind: 'matrix'
  /** Every combination of the values in a row is an instance. */
  rows: readonly (readonly MatrixAxis[])[]
  count: number
}

/** A number of equal instances, or a matrix. */
export const readParallel: Reader<Parallel> = (value, location) => {
  if (typeof value !== 'bigint' && typeof value !== 'number') return readMatrixParallel(value, location)
  const count = integerBetween(1, limits.parallel)(value, location)
  return count === null ? null : { kind: 'count', count }
}

/** For places where a number has no meaning: trigger jobs and needs. */
export const readMatrixParallel: Reader<ParallelMatrix> = (value, location) => {
  if (typeof value === 'bigint' || typeof value === 'number') {
    return location.refuse('cannot use "parallel: <number>".')
  }
  if (!isMap(value)) return location.refuseKind('should be an integer or a hash')
  const read = readMapEntry(parallelShape, value, location, (map) => requireKeys(map, ['matrix'], location))
  if (!read) return null
  return read.matrix ?? location.child('matrix').refuse('should be an array of hashes')
}

const readMatrix: Reader<ParallelMatrix> = (value, location) => {
  if (!isList(value) || !value.every(isMap)) {
    const wrong = isList(value) ? [String(value.findIndex((item) => !isMap(item)))] : []
    return location.refuse('should be an array of hashes', ...wrong)
  }
  if (value.length === 0) return location.refuse('requires at least 1 items')
  const before = location.problemCount()
  const rows = value.map((map, index) => readAxes(map, location.item('variables', [String(index)])))
  if (location.problemCount() > before) return null
  const count = rows.reduce((sum, axes) => sum + combinationCount(axes), 0)
  return count > limits.parallel
    ? location.refuse(`generates too many jobs (maximum is ${limits.parallel})`)
    : { kind: 'matrix', rows, count }
}

function readAxes(map: ConfigMap, location: Location): MatrixAxis[] {
  if (map.size === 0) location.refuse('requires at least 1 items')
  const axes = [...map].map(([name, value]) => ({ name, values: valuesOf(value) }))
  const wrong = axes.find(({ values }) => values.length === 0)
  if (wrong) location.refuse('should be a hash of key value pairs, value can be an array', wrong.name)
  return axes
}

/** Empty for values that are not text, an integer, or a list of these. */
function valuesOf(value: ConfigValue): string[] {
  if (typeof value === 'string' && value.trim() === '') return []
  const items = isList(value) ? value : [value]
  const texts = items.filter((item) => typeof item === 'string' || typeof item === 'bigint').map(String)
  return texts.length === items.length ? texts : []
}

function combinationCount(axes: readonly MatrixAxis[]): number {
  return axes.reduce((count, { values }) => count * values.length, 1)
}

export const parallelShape = { attributes: {}, children: { matrix: readMatrix } }
