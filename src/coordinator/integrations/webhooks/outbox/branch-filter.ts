import { RE2JS } from 're2js'

import { matchesRefPattern } from '../../../../git/ref-pattern.js'
import type { HookRow } from '../hook-store.js'

type Filter = Pick<HookRow, 'push_events_branch_filter' | 'branch_filter_strategy'>

/** Whether the hook is subscribed to pushes to this branch (API, K2). */
export function isWantedBranch(
  { push_events_branch_filter: filter, branch_filter_strategy }: Filter,
  branch: string,
): boolean {
  if (!filter) return true
  switch (branch_filter_strategy) {
    case 'all_branches':
      return true
    case 'wildcard':
      return matchesRefPattern(filter, branch)
    case 'regex':
      return RE2JS.compile(filter).matcher(branch).find()
  }
}
