import { expect, test } from 'vitest'

import { mayMergeInto } from '../../../../src/coordinator/planning/access/may-merge-into.js'
import { openForFile } from '../../../support/lifetime.js'
import { openRepositoryApi } from '../../support/repository-api.js'

const api = openForFile(openRepositoryApi)

function may(branch: string, accessLevel: number): Promise<boolean> {
  const { database, project, owner: user } = api()
  return mayMergeInto(database, { project, user, accessLevel }, branch)
}

async function protect(name: string, levels: { push: number; merge: number }): Promise<number> {
  const { database, project } = api()
  const { id } = await database
    .insertInto('protected_ref')
    .values({
      project_id: project.id,
      kind: 'branch',
      name,
      push_access_level: levels.push,
      merge_access_level: levels.merge,
      created_at: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('developers may merge into branches that are not protected, and reporters may not', async () => {
  expect(await may('free', 30)).toBe(true)
  expect(await may('free', 20)).toBe(false)
})

test('the level to merge of a protected branch decides, even if nobody may push', async () => {
  await protect('stable', { push: 0, merge: 40 })
  expect(await may('stable', 30)).toBe(false)
  expect(await may('stable', 40)).toBe(true)
})

test('who may push to a protected branch may merge into it', async () => {
  await protect('next', { push: 30, merge: 0 })
  expect(await may('next', 30)).toBe(true)
})

test('nobody may merge if no rule allows anybody, until a wildcard allows some', async () => {
  await protect('release-1', { push: 0, merge: 0 })
  expect(await may('release-1', 50)).toBe(false)
  await protect('release-*', { push: 0, merge: 30 })
  expect(await may('release-1', 30)).toBe(true)
})

test('a user whom a rule names may merge', async () => {
  const id = await protect('named', { push: 0, merge: 0 })
  expect(await may('named', 30)).toBe(false)
  const { database, owner } = api()
  await database
    .insertInto('protected_ref_access')
    .values({ protected_ref_id: id, action: 'merge', user_id: owner.id })
    .execute()
  expect(await may('named', 30)).toBe(true)
})
