import type { Expression } from '../expressions/expression.js'
import { parseRefPattern, type RefPattern } from '../selection/ref-pattern.js'
import { isList, isMap } from '../yaml/config-value.js'
import { allowedValue } from './allowed-values.js'
import { expressionOf, readGlobs } from './clauses.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { stringsOf, wrongItem } from './simple-values.js'

/** The conditions of `only` or `except`; an absent one is not checked (CI language, 7.7). */
export interface RefPolicy {
  /** Any of them. */
  refs?: RefPattern[]
  /** Any of them. */
  variables?: Expression[]
  /** Any of these patterns; variables in them are not expanded. */
  changes?: string[]
  kubernetes?: 'active'
}

/** `only` and `except`: a list is short for `refs`. */
export const readRefPolicy: Reader<RefPolicy> = (value, place) => {
  if (isMap(value)) {
    return value.size === 0 ? place.refuse("can't be blank") : readMapEntry(refPolicyShape, value, place)
  }
  if (!isList(value)) return place.refuseKind('has to be either an array of conditions or a hash')
  const refs = readRefs(value, place)
  return refs && { refs }
}

const readRefs: Reader<RefPattern[]> = (value, place) => {
  const patterns = stringsOf(value)?.map((text) => parseRefPattern(text, place.patterns))
  const valid = patterns?.filter((pattern) => pattern !== undefined)
  if (!valid || valid.length !== patterns?.length) {
    const wrong = patterns ? [String(patterns.indexOf(undefined))] : wrongItem(value)
    return place.refuse('should be an array of strings or regular expressions using re2 syntax', ...wrong)
  }
  return valid
}

const readExpressions: Reader<Expression[]> = (value, place) => {
  const texts = stringsOf(value)
  if (!texts) return place.refuse('should be an array of strings', ...wrongItem(value))
  const expressions = texts.map((text) => expressionOf(text, place.patterns))
  const wrong = expressions.indexOf(undefined)
  return wrong < 0
    ? expressions.filter((expression) => expression !== undefined)
    : place.refuse('invalid expression syntax', String(wrong))
}

export const refPolicyShape = {
  attributes: {
    refs: readRefs,
    kubernetes: allowedValue(['active'] as const),
    variables: readExpressions,
    changes: readGlobs,
  },
  children: {},
}
