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

const withFeature = Object.entries(PROJECT_RULES).flatMap(([permission, { feature, level, membersOnly }]) =>
  feature
    ? [{ permission: permission as ProjectPermission, features: [feature].flat(), level, membersOnly }]
    : [],
)

test.each(withFeature)('$permission goes with $features', ({ permission, features, level, membersOnly }) => {
  const columns = features.map((feature) => `${feature}_access_level` as const)
  expect(may(permission, { project: inUse, ...MEMBER })).toBe(true)
  const forMembers = { ...inUse, ...recordOf(columns, () => 'private' as const) }
  expect(may(permission, { project: forMembers, ...MEMBER })).toBe(true)
  expect(may(permission, { project: forMembers, ...VISITOR })).toBe(false)
  expect(may(permission, { project: inUse, ...VISITOR })).toBe(!membersOnly && level <= VISITOR.accessLevel)
  const disabled = { ...inUse, ...recordOf(columns, () => 'disabled' as const) }
  expect(may(permission, { project: disabled, ...MEMBER })).toBe(false)
})

test('milestones are available with issues or with merge requests alone', () => {
  for (const column of ['issues_access_level', 'merge_requests_access_level'] as const) {
    const project = { ...inUse, [column]: 'disabled' as const }
    expect(may('read_milestones', { project, ...VISITOR })).toBe(true)
    expect(may('manage_milestones', { project, ...MEMBER })).toBe(true)
  }
})

test('pipelines are seen and run where there is code alone', () => {
  const project = { ...inUse, repository_access_level: 'disabled' as const }
  expect(may('read_pipelines', { project, ...MEMBER })).toBe(false)
  expect(may('run_pipelines', { project, ...MEMBER })).toBe(false)
  expect(may('admin_project', { project, ...MEMBER })).toBe(true)
})
