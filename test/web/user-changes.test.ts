import { expect, test } from 'vitest'

import { changesOf } from '../../src/web/pages/admin/user-changes.js'

test.each([
  ['active', ['deactivate', 'block', 'ban']],
  ['deactivated', ['activate', 'block']],
  ['blocked', ['unblock']],
  ['banned', ['unban']],
  ['blocked_pending_approval', ['approve', 'reject']],
  ['ghost', []],
])('an account that is %s allows %j', (state, actions) => {
  expect(changesOf(state).map(({ action }) => action)).toEqual(actions)
})
