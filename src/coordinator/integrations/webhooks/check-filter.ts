import { RE2JS, RE2JSException } from 're2js'

import type { FilterStrategy } from '../../database/tables/webhooks.js'
import { apiError } from '../../http/errors.js'

/** Throws 422 for a filter that cannot match any branch. */
export function checkFilter(strategy: FilterStrategy, filter: string): void {
  if (filter === '' || strategy === 'all_branches') return
  const isGood = strategy === 'regex' ? isRegularExpression(filter) : isPattern(filter)
  if (!isGood) throw apiError('hook_branch_filter_invalid')
}

/** A branch name in which `*` matches any text. */
function isPattern(filter: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what git refuses
  return !/[\x00-\x20\x7f~^:?[\\]|\.\.|@\{|\/\/|\.$|^\/|\/$|^-/.test(filter)
}

function isRegularExpression(filter: string): boolean {
  try {
    RE2JS.compile(filter)
    return true
  } catch (error) {
    if (error instanceof RE2JSException) return false
    throw error
  }
}
