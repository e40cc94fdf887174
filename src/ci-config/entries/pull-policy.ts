import { isList } from '../yaml/config-value.js'
import type { Reader } from './reader.js'
import { refuseWords, stringsOf } from './simple-values.js'

export const PULL_POLICIES = ['always', 'if-not-present', 'never']

/** One policy or several, tried in order (CI language, 3.7). */
export const readPullPolicy: Reader<string[]> = (value, location) => {
  if (typeof value === 'string') {
    return PULL_POLICIES.includes(value)
      ? [value]
      : location.suggesting({ words: [value], among: PULL_POLICIES }).refuse('is not included in the list')
  }
  const policies = stringsOf(value)
  if (!policies) return location.refuse('should be an array of strings or a string')
  if (isList(value) && value.length === 0) return location.refuse("can't be blank")
  const unknown = policies.filter((policy) => !PULL_POLICIES.includes(policy))
  return unknown.length === 0 ? policies : refuseWords(unknown, policies, PULL_POLICIES, location)
}
