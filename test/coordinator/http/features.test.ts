import { expect, test } from 'vitest'

import { may } from '../../../src/coordinator/access/access.js'
import { PROJECT_RULES, type ProjectPermission } from '../../../src/coordinator/access/permissions.js'
import { FEATURE_COLUMNS } from '../../../src/coordinator/access/project-features.js'
import { recordOf } from '../../../src/lib/record-of.js'

const MEMBER = { accessLevel: 50, membership: 50 }
/** Somebody who merely sees an open project. */
const VISITOR = { accessLevel: 20, membership: 0 }

const everything = recordOf(FEATURE_COLUMNS, () => 'enabled' as const)
const inUse = { ...everything, public_jobs: true, archived: false }

const withFeature = Object.entries(PROJECT_RULES).flatMap(([permission, { feature, level }]) =>
  feature ? [{ permission: permission as ProjectPermission, feature, level }] : [],
)

test.each(withFeature)('$permission goes with $feature', ({ permission, feature, level }) => {
  const column = `${feature}_access_level` as const
  expect(may(permission, { project: inUse, ...MEMBER })).toBe(true)
  const forMembers = { ...inUse, [column]: 'private' as const }
  expect(may(permission, { project: forMembers, ...MEMBER })).toBe(true)
  expect(may(permission, { project: forMembers, ...VISITOR })).toBe(false)
  expect(may(permission, { project: inUse, ...VISITOR })).toBe(level <= VISITOR.accessLevel)
  expect(may(permission, { project: { ...inUse, [column]: 'disabled' }, ...MEMBER })).toBe(false)
})

test('pipelines are seen and run where there is code alone', () => {
  const project = { ...inUse, repository_access_level: 'disabled' as const }
  expect(may('read_pipelines', { project, ...MEMBER })).toBe(false)
  expect(may('run_pipelines', { project, ...MEMBER })).toBe(false)
  expect(may('admin_project', { project, ...MEMBER })).toBe(true)
})
