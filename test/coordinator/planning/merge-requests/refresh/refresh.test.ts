import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { storeObject } from '../../../../../src/coordinator/hosting/lfs/objects.js'
import type { NewVersion } from '../../../../../src/coordinator/planning/merge-requests/refresh/listeners.js'
import { latestVersion } from '../../../../../src/coordinator/planning/stores/merge-request-store.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import { oidOf } from '../../../hosting/lfs/lfs-client.js'
import { gitSceneForFile, withLine } from '../git-scene.js'

const openGitScene = gitSceneForFile()

describeOnDatabase('a merge request and its branches', (open) => {
  test('a new one gets its first version, its ref and the result of a trial merge', async () => {
    const { commit, make, refresh, show, git, database, main } = await openGitScene(open)
    const head = await commit(
      { 'a.txt': withLine(2, 'changed'), 'b.txt': 'b\n' },
      { branch: 'x', from: 'main' },
    )
    const { id, iid, merge_status } = await make('x')
    expect(merge_status).toBe('unchecked')
    await refresh()
    expect(await show(iid)).toMatchObject({ sha: head, merge_status: 'can_be_merged', has_conflicts: false })
    expect(await latestVersion(database, id)).toMatchObject({
      head_sha: head,
      base_sha: main,
      start_sha: main,
      commit_count: 1,
      file_count: 2,
      reported: true,
    })
    expect(await git('rev-parse', `refs/merge-requests/${iid}/head`)).toBe(head)
    expect(await git('rev-parse', `refs/merge-requests/${iid}/merge^2`)).toBe(head)
  })

  test('a push to the source branch makes a version, which is reported once', async () => {
    const told: NewVersion[] = []
    const { commit, make, refresh, database, ada } = await openGitScene(open, {
      afterVersion: (change) => Promise.resolve(void told.push(change)),
    })
    const first = await commit({ 'b.txt': '1\n' }, { branch: 'x', from: 'main' })
    const { id } = await make('x')
    await refresh()
    const second = await commit({ 'b.txt': '2\n' }, { branch: 'x' })
    await refresh()
    await refresh()
    expect(told.map(({ version, previousHead }) => [version.head_sha, previousHead])).toEqual([
      [first, null],
      [second, first],
    ])
    expect(told[1]).toMatchObject({ pushedById: ada.id, row: { head_sha: second } })
    expect(await latestVersion(database, id)).toMatchObject({ head_sha: second, pushed_by_id: ada.id })
  })

  testAtNight('a version whose report failed is reported again', async () => {
    let failures = 1
    const { commit, make, refresh, database } = await openGitScene(open, {
      afterVersion: () => (failures-- > 0 ? Promise.reject(new Error('stopped')) : Promise.resolve()),
    })
    await commit({ 'b.txt': '1\n' }, { branch: 'x', from: 'main' })
    const { id } = await make('x')
    await expect(refresh()).rejects.toThrow('stopped')
    expect(await latestVersion(database, id)).toMatchObject({ reported: false })
    await refresh()
    expect(await latestVersion(database, id)).toMatchObject({ reported: true })
  })

  testAtNight('branches that conflict cannot be merged until one of them changes', async () => {
    const { commit, make, refresh, show } = await openGitScene(open)
    await commit({ 'a.txt': withLine(2, 'ours') }, { branch: 'x', from: 'main' })
    const { iid } = await make('x')
    await commit({ 'a.txt': withLine(2, 'theirs') }, { branch: 'main' })
    await refresh()
    expect(await show(iid)).toMatchObject({
      merge_status: 'cannot_be_merged',
      detailed_merge_status: 'conflict',
      has_conflicts: true,
    })
    await commit({ 'a.txt': withLine(2, 'theirs') }, { branch: 'x' })
    await refresh()
    expect(await show(iid)).toMatchObject({ merge_status: 'can_be_merged' })
  })

  testAtNight('commits that a push brings into the target branch merge it', async () => {
    const { commit, make, refresh, show, push } = await openGitScene(open)
    const head = await commit({ 'b.txt': '1\n' }, { branch: 'x', from: 'main' })
    const { iid } = await make('x')
    await refresh()
    await push({ main: head })
    await refresh()
    expect(await show(iid)).toMatchObject({
      state: 'merged',
      merged_by: { username: 'ada' },
      merge_commit_sha: null,
    })
  })

  testAtNight('a branch without commits of its own is not merged', async () => {
    const { make, refresh, show, ok, P } = await openGitScene(open)
    await ok(`POST ${P}/repository/branches`, { branch: 'x', ref: 'main' })
    const { iid } = await make('x')
    await refresh()
    expect(await show(iid)).toMatchObject({ state: 'opened' })
  })

  testAtNight('commits of a fork are fetched, and stay when the fork is deleted', async () => {
    const { commit, make, refresh, show, git, person, ok, services, project, P } = await openGitScene(open)
    const ben = await person('ben')
    const { id: fork } = await ok<{ id: number }>(
      'POST /projects',
      { name: 'app', visibility: 'public' },
      ben,
    )
    await ok(`POST /projects/${fork}/fork/${project}`, {}, await admin())
    await git('push', '--quiet', services.repositories.path(fork), 'main')
    const head = await commit({ 'b.txt': '1\n' }, { branch: 'x', from: 'main', at: fork, as: ben })
    const { iid } = await make('x', { target_project_id: project }, { at: fork, as: ben })
    await refresh()
    expect(await show(iid)).toMatchObject({ sha: head, source_project_id: fork, project_id: project })
    expect(await git('rev-parse', `refs/merge-requests/${iid}/head`)).toBe(head)
    await ok(`DELETE /projects/${fork}`, undefined, ben)
    expect(await ok(`GET ${P}/merge_requests/${iid}`)).toMatchObject({ source_project_id: null, sha: head })
    expect(await git('cat-file', '-t', head)).toBe('commit')

    async function admin() {
      await services.database.updateTable('user').set({ is_admin: true }).where('id', '=', ben.id).execute()
      return ben
    }
  })

  testAtNight('the Git LFS objects of new commits of a fork are brought, and no others', async () => {
    const { commit, make, refresh, git, person, ok, services, database, project } = await openGitScene(open)
    const ben = await person('ben')
    const { id: fork } = await ok<{ id: number }>(
      'POST /projects',
      { name: 'app', visibility: 'public' },
      ben,
    )
    await database.updateTable('project').set({ forked_from_id: project }).where('id', '=', fork).execute()
    await git('push', '--quiet', services.repositories.path(fork), 'main')
    const [needed, other] = ['needed', 'other'].map((content) => ({ content, oid: oidOf(content) }))
    for (const { content, oid } of [needed!, other!]) {
      const stated = { oid, size: content.length }
      await storeObject(services, fork, stated, Readable.from([Buffer.from(content)]))
    }
    const pointer = (oid: string) => `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 6\n`
    const files = { 'a.bin': pointer(needed!.oid), 'b.bin': pointer('0'.repeat(64)), c: `see ${other!.oid}` }
    await commit(files, { branch: 'x', from: 'main', at: fork, as: ben })
    await make('x', { target_project_id: project }, { at: fork, as: ben })
    await refresh()
    const found = await database
      .selectFrom('lfs_object')
      .selectAll()
      .where('project_id', '=', project)
      .execute()
    expect(found).toMatchObject([{ oid: needed!.oid, size: 6 }])
    await ok(`DELETE /projects/${fork}`, undefined, ben)
    expect(await text(await services.blobs.read(`projects/${project}/lfs/${needed!.oid}`))).toBe('needed')
  })

  testAtNight('a push of many branches refreshes all merge requests of the project', async () => {
    const { commit, make, refresh, show, push, main } = await openGitScene(open)
    await commit({ 'b.txt': '1\n' }, { branch: 'x', from: 'main' })
    const { iid } = await make('x')
    await refresh()
    const names = ['x', 'y', 'z', 'u', 'v']
    await push(Object.fromEntries(names.map((name) => [name, main])))
    await refresh()
    expect(await show(iid)).toMatchObject({ sha: main })
  })
})
