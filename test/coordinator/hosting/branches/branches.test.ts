import { describe, expect, test } from 'vitest'

import type { BranchSummary } from '../../../../src/coordinator/hosting/branches/schema.js'
import { divergences } from '../../../../src/coordinator/hosting/repositories/browse/divergence.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { countGit } from '../../support/counted-git.js'
import {
  addRepositoryMember,
  openRepositoryApi,
  seedCommit,
  seedDefaultBranch,
} from '../../support/repository-api.js'

const BRANCHES = '/repository/branches'

describeOnDatabase('branches', (open) => {
  test('are made from any revision, like a push: with a pipeline, and a record that is gone when all is done', async () => {
    const api = await openRepositoryApi(open)
    const sha = await seedDefaultBranch(api)
    const made = await api.call(`POST ${BRANCHES}`, { branch: 'feature/x', ref: sha.slice(0, 10) })
    expect(made.statusCode).toBe(201)
    expect(made.json()).toMatchObject({
      name: 'feature/x',
      commit: { id: sha, title: 'Seed', trailers: {} },
      merged: false,
      protected: false,
      default: false,
      can_push: true,
      web_url: 'http://switchyard.example/ada/app/-/tree/feature/x',
    })
    expect(api.pushed).toMatchObject([
      { ref: 'feature/x', refType: 'branch', sha, beforeSha: '0'.repeat(40) },
    ])
    expect(await api.database.selectFrom('push').selectAll().execute()).toEqual([])
    expect((await api.call(`GET ${BRANCHES}/feature%2Fx`)).json()).toEqual(made.json())
  })

  test('are deleted, but not the default one, nor a protected one by a developer', async () => {
    const api = await openRepositoryApi(open)
    await seedDefaultBranch(api)
    const developer = await addRepositoryMember(api, 'dev', 30)
    await api.call(`POST ${BRANCHES}`, { branch: 'a', ref: 'main' })
    await api.call(`POST ${BRANCHES}`, { branch: 'keep', ref: 'main' })
    await api.call('POST /protected_branches', { name: 'keep' })
    expect((await api.call(`DELETE ${BRANCHES}/a`, undefined, developer)).statusCode).toBe(204)
    expect((await api.call(`DELETE ${BRANCHES}/a`, undefined, developer)).json()).toEqual({
      message: '404 Branch Not Found',
    })
    const head = await api.call(`DELETE ${BRANCHES}/main`)
    expect([head.statusCode, head.json()]).toEqual([405, { message: 'Cannot remove HEAD branch' }])
    const kept = await api.call(`DELETE ${BRANCHES}/keep`, undefined, developer)
    expect([kept.statusCode, kept.json()]).toEqual([405, { message: 'Protected branch cant be removed' }])
    expect((await api.call(`DELETE ${BRANCHES}/keep`)).statusCode).toBe(204)
  })
})

testAtNight('a branch that cannot be made says why', async () => {
  const api = await openRepositoryApi()
  const sha = await seedDefaultBranch(api)
  const refusals = []
  for (const body of [
    { branch: 'main', ref: 'main' },
    { branch: 'x', ref: 'nowhere' },
    { branch: 'x', ref: '--all' },
    { branch: 'x', ref: 'main^{tree}' },
    { branch: 'x..y', ref: 'main' },
    { branch: '-x', ref: 'main' },
    { branch: sha, ref: 'main' },
    { branch: 'main/below', ref: 'main' },
    { branch: 'refs/heads/x', ref: 'main' },
    { branch: 'HEAD', ref: 'main' },
  ]) {
    const { statusCode, body: result } = await api.call(`POST ${BRANCHES}`, body)
    refusals.push(`${statusCode} ${result}`)
  }
  expect(refusals).toEqual([
    '400 {"message":"Branch already exists"}',
    '400 {"message":"Invalid reference name: nowhere"}',
    '400 {"message":"Invalid reference name: --all"}',
    '400 {"message":"Invalid reference name: main^{tree}"}',
    '400 {"message":"Branch name is invalid"}',
    '400 {"message":"Branch name is invalid"}',
    '400 {"message":"Branch name is invalid"}',
    '400 {"message":"Branch name is invalid"}',
    '400 {"message":"Branch name is invalid"}',
    '400 {"message":"Branch name is invalid"}',
  ])
  const missing = await api.call(`POST ${BRANCHES}`, {})
  expect(missing.json()).toEqual({ error: 'branch is missing, ref is missing' })
  expect(await api.database.selectFrom('push').selectAll().execute()).toEqual([])
})

testAtNight('a branch or tag changed since the given time is not deleted', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  await api.call(`POST ${BRANCHES}`, { branch: 'x', ref: 'main' })
  await api.call('POST /repository/tags', { tag_name: 'v1', ref: 'main' })
  for (const path of [`${BRANCHES}/x`, '/repository/tags/v1']) {
    const remove = (since: string) =>
      api.app.app.inject({
        method: 'DELETE',
        url: `/api/v4/projects/${api.project.id}${path}`,
        headers: { 'private-token': api.owner.token, 'if-unmodified-since': since },
      })
    const refused = await remove('Sat, 01 Jan 2000 00:00:00 GMT')
    expect([refused.statusCode, refused.json()]).toEqual([412, { message: '412 Precondition Failed' }])
    expect((await remove(new Date().toUTCString())).statusCode).toBe(204)
  }
})

test('developers make no branch that a rule keeps from them', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  await api.call('POST /protected_branches', { name: 'stable-*' })
  const developer = await addRepositoryMember(api, 'dev', 30)
  const refused = await api.call(`POST ${BRANCHES}`, { branch: 'stable-1', ref: 'main' }, developer)
  expect(refused.statusCode).toBe(403)
  expect((await api.call(`POST ${BRANCHES}`, { branch: 'other', ref: 'main' }, developer)).statusCode).toBe(
    201,
  )
  const reporter = await addRepositoryMember(api, 'rep', 20)
  expect((await api.call(`POST ${BRANCHES}`, { branch: 'y', ref: 'main' }, reporter)).statusCode).toBe(403)
  expect((await api.call(`POST ${BRANCHES}`, { branch: 'y', ref: 'main' }, null)).statusCode).toBe(401)
  expect((await api.call(`GET ${BRANCHES}`, undefined, null)).statusCode).toBe(404)
})

testAtNight('the list is searched, sorted and paged', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  for (const branch of ['fix-1', 'fix-2', 'refix']) await seedCommit(api, { [branch]: branch }, { branch })
  const names = async (query: string): Promise<string[]> => {
    const response = await api.call(`GET ${BRANCHES}?${query}`)
    return response.json<{ name: string }[]>().map(({ name }) => name)
  }
  expect(await names('')).toEqual(['fix-1', 'fix-2', 'main', 'refix'])
  expect(await names('search=FIX')).toEqual(['fix-1', 'fix-2', 'refix'])
  expect(await names('search=%5Efix')).toEqual(['fix-1', 'fix-2'])
  expect(await names('search=fix%24')).toEqual(['refix'])
  expect(await names('regex=%5Efix-%5Cd%24')).toEqual(['fix-1', 'fix-2'])
  expect(await names('per_page=3&page=2')).toEqual(['refix'])
  expect((await api.call(`GET ${BRANCHES}?regex=(`)).json()).toEqual({ error: 'regex is invalid' })
  const long = encodeURIComponent('(a|b){500}')
  expect((await api.call(`GET ${BRANCHES}?regex=${long}`)).json()).toEqual({ error: 'regex is too long' })
  const first = await api.call(`GET ${BRANCHES}?pagination=keyset&per_page=3`)
  expect(first.headers['x-total']).toBeUndefined()
  expect(first.headers['link']).toMatch(/page_token=main>; rel="next"$/)
  expect(await names('pagination=keyset&per_page=3&page_token=main')).toEqual(['refix'])
})

testAtNight(
  'a branch contained in the default branch is merged, and is deleted with all merged branches',
  async () => {
    const api = await openRepositoryApi()
    const old = await seedDefaultBranch(api)
    await api.call(`POST ${BRANCHES}`, { branch: 'done', ref: old })
    await api.call(`POST ${BRANCHES}`, { branch: 'kept', ref: old })
    await api.call('POST /protected_branches', { name: 'kept' })
    await seedCommit(api, { b: 'b' })
    await seedCommit(api, { c: 'c' }, { branch: 'open' })
    const before = (await api.call(`GET ${BRANCHES}`)).json<{ name: string; merged: boolean }[]>()
    expect(before.map(({ name, merged }) => [name, merged])).toEqual([
      ['done', true],
      ['kept', true],
      ['main', false],
      ['open', false],
    ])
    const deleted = await api.call('DELETE /repository/merged_branches')
    expect([deleted.statusCode, deleted.json()]).toEqual([202, { message: '202 Accepted' }])
    const after = (await api.call(`GET ${BRANCHES}`)).json<{ name: string }[]>()
    expect(after.map(({ name }) => name)).toEqual(['kept', 'main', 'open'])
  },
)

test('HEAD checks that a branch exists; an invalid name is 400, an empty repository has no branches', async () => {
  const api = await openRepositoryApi()
  expect((await api.call(`GET ${BRANCHES}`)).json()).toEqual([])
  await seedDefaultBranch(api)
  expect((await api.call(`HEAD ${BRANCHES}/main`)).statusCode).toBe(204)
  expect((await api.call(`HEAD ${BRANCHES}/none`)).statusCode).toBe(404)
  const invalid = await api.call(`GET ${BRANCHES}/a..b`)
  expect([invalid.statusCode, invalid.json()]).toEqual([400, { message: 'The branch refname is invalid' }])
})

test('the older calls protect and unprotect one branch', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  const on = await api.call(`PUT ${BRANCHES}/main/protect`, { developers_can_push: true })
  expect(on.json()).toMatchObject({ protected: true, developers_can_push: true, developers_can_merge: false })
  const off = await api.call(`PUT ${BRANCHES}/main/unprotect`)
  expect(off.json()).toMatchObject({ protected: false, developers_can_push: false })
})

describe('summaries of branches', () => {
  testAtNight(
    'count the commits that a branch and the default branch do not share, and have its latest pipeline',
    async () => {
      const api = await openRepositoryApi()
      const old = await seedDefaultBranch(api)
      for (const branch of ['behind', 'both']) await api.call(`POST ${BRANCHES}`, { branch, ref: old })
      await seedCommit(api, { b: 'b' })
      await seedCommit(api, { c: 'c' })
      await seedCommit(api, { d: 'd' }, { branch: 'both' })
      await api.call(`POST ${BRANCHES}`, { branch: 'ahead', ref: 'main' })
      await seedCommit(api, { e: 'e' }, { branch: 'ahead' })
      await seedCommit(api, { f: 'f' }, { branch: 'unrelated' })
      const names = ['main', 'behind', 'both', 'ahead', 'unrelated', 'missing', 'a..b', '--all']
      const summaries = async () =>
        (
          await api.call(
            `GET /repository/branch_summaries?${names.map((name) => `branches[]=${encodeURIComponent(name)}`).join('&')}`,
          )
        ).json<BranchSummary[]>()
      const counted = await summaries()
      expect(counted.map(({ name, ahead, behind, pipeline }) => [name, ahead, behind, pipeline])).toEqual([
        ['main', 0, 0, null],
        ['behind', 0, 2, null],
        ['both', 1, 2, null],
        ['ahead', 1, 0, null],
        ['unrelated', 1, 3, null],
      ])
      // What has been counted is known; a branch that moves is counted again.
      expect(await summaries()).toEqual(counted)
      await seedCommit(api, { g: 'g' }, { branch: 'both' })
      expect((await summaries())[2]).toMatchObject({ ahead: 2, behind: 2 })
    },
  )

  testAtNight('use two git processes for any number of branches', async () => {
    const api = await openRepositoryApi()
    const old = await seedDefaultBranch(api)
    const branches = Array.from({ length: 4 }, (_, index) => `branch-${index}`)
    for (const branch of branches) {
      await api.call(`POST ${BRANCHES}`, { branch, ref: old })
      await seedCommit(api, { [branch]: 'x' }, { branch })
    }
    const reading = api.repositories.reading(api.project.id, new AbortController().signal)
    const tips = (await api.call(`GET ${BRANCHES}`, { per_page: 100 })).json<{ commit: { id: string } }[]>()
    const git = await countGit()
    const found = await divergences(
      reading,
      old,
      tips.map(({ commit }) => commit.id),
    )
    expect([...(found ?? [])].filter(([, { ahead, behind }]) => ahead === 1 && behind === 0)).toHaveLength(4)
    expect(await git.started()).toEqual(['merge-base', 'rev-list'])
  })
})
