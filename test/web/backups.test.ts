import { expect, test } from 'vitest'

import type { LastBackup, LastVerification } from '../../src/coordinator/backup/reports/schema.js'
import { verificationOf } from '../../src/web/pages/admin/backups/verification.js'

const times = { started_at: '2026-03-02T01:00:00Z', finished_at: '2026-03-02T01:02:00Z' }
const backup: LastBackup = {
  ...times,
  name: 'b',
  place: '/backup',
  files: 9,
  size: 1,
  new_files: 1,
  new_size: 1,
  missing_files: 0,
}
const check: LastVerification = {
  ...times,
  name: 'b',
  place: '/backup',
  files: 9,
  repositories: 1,
  problem_count: 0,
  problems: [],
}

test.each([
  ['sound', backup, check],
  ['damaged', backup, { ...check, problem_count: 2, problems: ['One.', 'Two.'] }],
  ['unchecked', backup, { ...check, name: 'a' }],
  ['unchecked', backup, { ...check, place: '/other' }],
  ['unchecked', backup, null],
  ['unchecked', null, check],
] as const)('the last backup is %s', (expected, last_backup, verification) => {
  const last_verification = verification && { ...verification, problems: [...verification.problems] }
  expect(verificationOf({ last_backup, last_verification })).toBe(expected)
})
