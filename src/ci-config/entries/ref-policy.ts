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
export const readRefPolicy: Reader<RefPolicy> = (value, location) => {
  if (isMap(value)) {
    return value.size === 0
      ? location.refuse("can't be blank")
      : readMapEntry(refPolicyShape, value, location)
  }
  if (!isList(value)) return location.refuseKind('has to be either an array of conditions or a hash')
  const refs = readRefs(value, location)
  return refs && { refs }
}

const readRefs: Reader<RefPattern[]> = (value, location) => {
  const patterns = stringsOf(value)?.map((text) => parseRefPattern(text, location.patterns))
  const valid = patterns?.filter((pattern) => pattern !== undefined)
  if (!valid || valid.length !== patterns?.length) {
    const wrong = patterns ? [String(patterns.indexOf(undefined))] : wrongItem(value)
    return location.refuse('should be an array of strings or regular expressions using re2 syntax', ...wrong)
  }
  return valid
}

const readExpressions: Reader<Expression[]> = (value, location) => {
  const texts = stringsOf(value)
  if (!texts) return location.refuse('should be an array of strings', ...wrongItem(value))
  const expressions = texts.map((text) => expressionOf(text, location.patterns))
  const wrong = expressions.indexOf(undefined)
  return wrong < 0
    ? expressions.filter((expression) => expression !== undefined)
    : location.refuse('invalid expression syntax', String(wrong))
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
