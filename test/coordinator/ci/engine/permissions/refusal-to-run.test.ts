import { expect, test } from 'vitest'

import { createPipeline } from '../../../../../src/coordinator/ci/engine/create/create-pipeline.js'
import type { EngineDeps } from '../../../../../src/coordinator/ci/engine/engine-deps.js'
import type { RefProtection } from '../../../../../src/coordinator/ci/engine/permissions/ref-protection.js'
import {
  refusalToRun,
  type RunAttempt,
  type RunRefusal,
} from '../../../../../src/coordinator/ci/engine/permissions/refusal-to-run.js'
import { PIPELINE_SOURCES } from '../../../../../src/coordinator/ci/engine/pipeline-source.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { openEngine, requestFor } from '../support/engine.js'

const SOURCES: RunAttempt['by'][] = [...PIPELINE_SOURCES, 'play']

const ROLES = { nobody: 0, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 }

const PROTECTIONS: Record<string, RefProtection> = {
  'no rule': undefined,
  'a rule for developers': { levels: [30, 40] },
  'a rule for maintainers': { levels: [40] },
  'a rule for nobody': { levels: [] },
}

/** Roles in the order above: `-` may not create pipelines, `p` is kept off the protected ref, `+` may. */
const MATRIX: Record<string, { push: string; others: string }> = {
  'no rule': { push: '---+++', others: '---+++' },
  'a rule for developers': { push: '---+++', others: '---+++' },
  // What a push may move, git has decided before it moved.
  'a rule for maintainers': { push: '---+++', others: '---p++' },
  'a rule for nobody': { push: '---+++', others: '---ppp' },
}

const SIGNS: Record<string, RunRefusal['reason'] | undefined> = {
  '-': 'role',
  p: 'protected-ref',
  '+': undefined,
}

const cases = SOURCES.flatMap((by) =>
  Object.entries(PROTECTIONS).flatMap(([rule, protection]) =>
    Object.entries(ROLES).map(([role, accessLevel], index) => {
      const row = MATRIX[rule]?.[by === 'push' ? 'push' : 'others'] ?? ''
      return { by, rule, protection, role, accessLevel, reason: SIGNS[row[index] ?? ''] }
    }),
  ),
)

const IN_USE = {
  archived: false,
  marked_for_deletion_at: null,
  builds_access_level: 'enabled',
  repository_access_level: 'private',
} as const

test.each(cases)('by $by, on a ref with $rule, as $role: $reason', (each) => {
  const { by, protection, accessLevel, reason } = each
  const project = IN_USE
  const user = { state: 'active' } as const
  const refusal = refusalToRun({ by, project, user, accessLevel, ref: 'main', protection })
  expect(refusal?.reason).toBe(reason)
})

test.each(SOURCES)(
  'by %s nobody runs anything in a project that is read only, nor for a blocked user',
  (by) => {
    const attempt = { by, accessLevel: 50, ref: 'main', protection: undefined }
    const archived = refusalToRun({
      ...attempt,
      project: { ...IN_USE, archived: true },
      user: { state: 'active' },
    })
    expect(archived).toEqual({ reason: 'read-only', message: 'The project is archived' })
    const marked = refusalToRun({
      ...attempt,
      project: { ...IN_USE, marked_for_deletion_at: 1 },
      user: { state: 'active' },
    })
    expect(marked).toEqual({ reason: 'read-only', message: 'The project is marked for deletion' })
    const blocked = refusalToRun({ ...attempt, project: IN_USE, user: { state: 'blocked' } })
    expect(blocked).toEqual({ reason: 'blocked', message: 'The user is blocked' })
  },
)

test.each(SOURCES)('by %s nothing runs where pipelines, or code, are switched off', (by) => {
  const attempt = {
    by,
    accessLevel: 50,
    ref: 'main',
    protection: undefined,
    user: { state: 'active' },
  } as const
  for (const feature of ['builds_access_level', 'repository_access_level']) {
    const refusal = refusalToRun({ ...attempt, project: { ...IN_USE, [feature]: 'disabled' } })
    expect(refusal).toEqual({ reason: 'disabled', message: 'Pipelines are disabled!' })
  }
})

describeOnDatabase('a new pipeline', (open) => {
  test.each(PIPELINE_SOURCES)('by %s is refused to whom its project refuses it', async (source) => {
    const engine = await openEngine(open)
    const { deps, project } = engine
    engine.repositories.ciFile = 'job: { script: [a], rules: [{ when: always }] }'
    const protect = { project_id: project.id, kind: 'branch', created_at: 0 } as const
    await deps.database
      .insertInto('protected_ref')
      .values([
        { ...protect, name: 'release-*', push_access_level: 40, merge_access_level: 0 },
        { ...protect, name: 'release-1', push_access_level: 0, merge_access_level: 30 },
        { ...protect, kind: 'tag', name: 'main', push_access_level: 0, merge_access_level: 0 },
      ])
      .execute()
    const outcome = async (ref: string, level: number) => {
      const as: EngineDeps = { ...deps, outside: { ...deps.outside, levelOf: async () => level } }
      const creation = await createPipeline(as, requestFor(engine, { source, ref }))
      return creation.kind === 'refused' ? creation.message : creation.pipeline.protected
    }
    expect(await outcome('main', 20)).toBe('Insufficient permissions to create a new pipeline')
    // The rule is about a tag of that name.
    expect(await outcome('main', 30)).toBe(false)
    expect(await outcome('release-1', 30)).toBe(true)
    expect(await outcome('release-2', 40)).toBe(true)
    expect(await outcome('release-2', 30)).toBe(
      source === 'push' ||
        "You do not have sufficient permission to run a pipeline on 'release-2'. Please select a different branch or contact your administrator for assistance.",
    )
  })
})
