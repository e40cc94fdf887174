import { type Expression, namesIn } from '../expressions/expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import type { PatternWork } from '../expressions/pattern-work.js'
import { limits } from '../limits.js'
import type { Changes } from '../selection/changes.js'
import type { Exists } from '../selection/exists.js'
import { type ConfigMap, isList, isMap } from '../yaml/config-value.js'
import type { Location } from './location.js'
import { readMapEntry, requireKeys } from './map-entry.js'
import type { Reader } from './reader.js'
import { readString, stringsOf, wrongItem } from './simple-values.js'

/** `if`: may compare variables; inputs are already interpolated (CI language, 7.3). */
export const readIf: Reader<Expression> = (value, location) =>
  (typeof value === 'string' ? expressionOf(value, location.patterns) : undefined) ??
  location.refuse('invalid expression syntax')

/** An expression without inputs; undefined if the text is invalid. */
export function expressionOf(text: string, patterns: PatternWork): Expression | undefined {
  const expression = parseExpression(text, patterns)
  return expression && namesIn(expression, 'input').length === 0 ? expression : undefined
}

/** `changes`: a list of patterns, or a map with more (CI language, 7.4). */
export const readChanges: Reader<Changes> = (value, location) => {
  if (isList(value)) {
    const paths = readGlobs(value, location)
    return paths && { paths }
  }
  if (!isMap(value)) return location.refuseKind('should be an array or a hash')
  const read = readMapEntry(changesShape, value, location, requirePaths)
  if (!read) return null
  const { paths = [], compare_to: compareTo } = read
  return { paths, ...(compareTo !== undefined && { compareTo }) }
}

/** `exists`: a pattern, a list of them, or a map with more (CI language, 7.5). */
export const readExists: Reader<Exists> = (value, location) => {
  if (typeof value === 'string') return { paths: [value] }
  if (isList(value)) {
    const paths = readGlobs(value, location)
    return paths && { paths }
  }
  if (!isMap(value)) return location.refuseKind('should be a string, an array of strings, or a hash')
  const read = readMapEntry(existsShape, value, location, requirePathsAndProject)
  return read && { ...read, paths: read.paths ?? [] }
}

/** Patterns of paths, not too many. */
export const readGlobs: Reader<string[]> = (value, location) => {
  const globs = stringsOf(value)
  if (!globs) return location.refuse('should be an array of strings', ...wrongItem(value))
  if (globs.length > limits.globs) return location.refuse(`has too many entries (maximum ${limits.globs})`)
  return globs
}

/** `changes` needs a list; `exists` takes `paths: null` for an empty one. */
function requirePaths(map: ConfigMap, location: Location): void {
  requireKeys(map, ['paths'], location)
  if (map.get('paths') === null) location.attribute('paths').refuse('should be an array of strings')
}

function requirePathsAndProject(map: ConfigMap, location: Location): void {
  requireKeys(map, (map.get('ref') ?? null) === null ? ['paths'] : ['paths', 'project'], location)
}

export const changesShape = {
  attributes: { paths: readGlobs, compare_to: readString },
  children: {},
}

export const existsShape = {
  attributes: { paths: readGlobs, project: readString, ref: readString },
  children: {},
}
