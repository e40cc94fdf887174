import { expect, test } from 'vitest'

import {
  approvalWords,
  type Entry,
  entryChanges,
  entryKey,
  newEntry,
  NOBODY,
} from '../../src/web/records/protected-environments/entries.js'

const entry = (fields: Partial<Entry>): Entry => ({ ...NOBODY, access_level_description: 'x', ...fields })

test('an entry names one role, user or group', () => {
  expect(entryKey(entry({ access_level: 40 }))).toBe('role 40')
  expect(entryKey(entry({ user_id: 7 }))).toBe('user 7')
  expect(entryKey(entry({ group_id: 3 }))).toBe('group 3')
  expect(entryKey(entry({ id: 9 }))).toBe('deleted 9')
  expect(newEntry(entry({ access_level: 40 }))).toEqual({ access_level: 40 })
  expect(newEntry(entry({ group_id: 3, required_approvals: 2 }))).toEqual({
    group_id: 3,
    group_inheritance_type: 0,
    required_approvals: 2,
  })
})

test('changed entries are removed, changed and added, and others are left out', () => {
  const role = entry({ id: 1, access_level: 40, required_approvals: 1 })
  const user = entry({ id: 2, user_id: 7, required_approvals: 1 })
  const group = entry({ id: 3, group_id: 3, required_approvals: 1 })
  expect(entryChanges([role, user, group], [role, user, group])).toEqual([])
  expect(
    entryChanges(
      [role, user, group],
      [
        { ...role, required_approvals: 2 },
        { ...group, group_inheritance_type: 1 },
        entry({ access_level: 60, required_approvals: 1 }),
      ],
    ),
  ).toEqual([
    { id: 1, required_approvals: 2 },
    { id: 2, _destroy: true },
    { id: 3, group_inheritance_type: 1 },
    { access_level: 60, required_approvals: 1 },
  ])
  // One that was removed and added again keeps its ID.
  expect(entryChanges([role], [entry({ access_level: 40, required_approvals: 1 })])).toEqual([])
})

test('approvals are described in words', () => {
  expect(approvalWords([], 0)).toBe('none')
  expect(approvalWords([], 2)).toBe('2 by those who may deploy')
  expect(approvalWords([{ required_approvals: 2, access_level_description: 'Maintainers' }], 1)).toBe(
    '2 by Maintainers',
  )
})
