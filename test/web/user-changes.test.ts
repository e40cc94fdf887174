import { expect, test } from 'vitest'

import { changesOf } from '../../src/web/pages/admin/user-changes.js'
import { userFilterNamed, usersPath } from '../../src/web/pages/admin/user-filters.js'

test.each([
  ['active', ['deactivate', 'block', 'ban']],
  ['deactivated', ['activate', 'block']],
  ['blocked', ['unblock']],
  ['banned', ['unban']],
  ['blocked_pending_approval', ['approve', 'reject']],
  ['ldap_blocked', []],
  ['ghost', []],
])('an account that is %s allows %j', (state, actions) => {
  expect(changesOf(state).map(({ action }) => action)).toEqual(actions)
})

test.each([
  ['pending', '/users?per_page=50&search=ada&state=blocked_pending_approval'],
  ['active', '/users?per_page=50&search=ada&active=true'],
  ['unknown', '/users?per_page=50&search=ada'],
])('the filter %s of users reads %s', (name, path) => {
  expect(usersPath(userFilterNamed(name), 'ada')).toBe(path)
})
