import { expect, test } from 'vitest'

import { findRecentPush } from '../../src/web/records/recent-push.js'

const NOW = Date.parse('2026-11-29T12:00:00Z')
const PUSH = {
  commit_count: 1,
  commit_from: null,
  commit_to: null,
  commit_title: null,
  ref_count: null,
} as const

function event(ref: string | null, minutesAgo: number, changes: object = {}) {
  const push_data = { ...PUSH, action: 'pushed' as const, ref_type: 'branch' as const, ref, ...changes }
  return {
    id: minutesAgo,
    project_id: 1,
    created_at: new Date(NOW - minutesAgo * 60_000).toISOString(),
    push_data,
  }
}

test.each([
  ['the newest one', [event('b', 3), event('a', 5)], 'b'],
  ['none in two hours', [event('a', 121)], undefined],
  [
    'none to a branch that was deleted since',
    [event('a', 1, { action: 'removed' }), event('a', 5)],
    undefined,
  ],
  ['one before the deletion of another branch', [event('a', 1, { action: 'removed' }), event('b', 5)], 'b'],
  ['none to a tag', [event('v1', 1, { ref_type: 'tag' })], undefined],
  ['none of several branches at once', [event(null, 1, { ref_count: 5 })], undefined],
  ['one to a fork', [{ ...event('a', 1), project_id: 3 }], 'a'],
  ['none to another project', [{ ...event('a', 1), project_id: 2 }], undefined],
  ['none to the default branch', [event('main', 1), event('a', 2)], 'a'],
])('the recent push is %s', (_, events, branch) => {
  const push = findRecentPush(events, new Set([1, 3]), NOW, (found) => found.branch === 'main')
  expect(push?.branch).toBe(branch)
})
