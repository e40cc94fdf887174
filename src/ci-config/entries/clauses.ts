import { type Expression, namesIn } from '../expressions/expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import type { PatternWork } from '../expressions/pattern-work.js'
import { limits } from '../limits.js'
import type { Changes } from '../selection/changes.js'
import type { Exists } from '../selection/exists.js'
import { type ConfigMap, isList, isMap } from '../yaml/config-value.js'
import { readMapEntry, requireKeys } from './map-entry.js'
import type { Place } from './place.js'
import type { Reader } from './reader.js'
import { readString, stringsOf, wrongItem } from './simple-values.js'

/** `if`: may compare variables; inputs are already interpolated (CI language, 7.3). */
export const readIf: Reader<Expression> = (value, place) =>
  (typeof value === 'string' ? expressionOf(value, place.patterns) : undefined) ??
  place.refuse('invalid expression syntax')

/** An expression without inputs; undefined if the text is invalid. */
export function expressionOf(text: string, patterns: PatternWork): Expression | undefined {
  const expression = parseExpression(text, patterns)
  return expression && namesIn(expression, 'input').length === 0 ? expression : undefined
}

/** `changes`: a list of patterns, or a map with more (CI language, 7.4). */
export const readChanges: Reader<Changes> = (value, place) => {
  if (isList(value)) {
    const paths = readGlobs(value, place)
    return paths && { paths }
  }
  if (!isMap(value)) return place.refuseKind('should be an array or a hash')
  const read = readMapEntry(changesShape, value, place, requirePaths)
  if (!read) return null
  const { paths = [], compare_to: compareTo } = read
  return { paths, ...(compareTo !== undefined && { compareTo }) }
}

/** `exists`: a pattern, a list of them, or a map with more (CI language, 7.5). */
export const readExists: Reader<Exists> = (value, place) => {
  if (typeof value === 'string') return { paths: [value] }
  if (isList(value)) {
    const paths = readGlobs(value, place)
    return paths && { paths }
  }
  if (!isMap(value)) return place.refuseKind('should be a string, an array of strings, or a hash')
  const read = readMapEntry(existsShape, value, place, requirePathsAndProject)
  return read && { ...read, paths: read.paths ?? [] }
}

/** Patterns of paths, not too many. */
export const readGlobs: Reader<string[]> = (value, place) => {
  const globs = stringsOf(value)
  if (!globs) return place.refuse('should be an array of strings', ...wrongItem(value))
  if (globs.length > limits.globs) return place.refuse(`has too many entries (maximum ${limits.globs})`)
  return globs
}

/** `changes` needs a list; `exists` takes `paths: null` for an empty one. */
function requirePaths(map: ConfigMap, place: Place): void {
  requireKeys(map, ['paths'], place)
  if (map.get('paths') === null) place.attribute('paths').refuse('should be an array of strings')
}

function requirePathsAndProject(map: ConfigMap, place: Place): void {
  requireKeys(map, (map.get('ref') ?? null) === null ? ['paths'] : ['paths', 'project'], place)
}

export const changesShape = {
  attributes: { paths: readGlobs, compare_to: readString },
  children: {},
}

export const existsShape = {
  attributes: { paths: readGlobs, project: readString, ref: readString },
  children: {},
}
