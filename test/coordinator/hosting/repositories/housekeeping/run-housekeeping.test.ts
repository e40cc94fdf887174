import { watch } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import {
  runHousekeeping,
  startHousekeeping,
} from '../../../../../src/coordinator/hosting/repositories/housekeeping/run-housekeeping.js'
import { commit, gitOk, workTree } from '../../../../support/git-client.js'
import { testAtNight } from '../../../../support/nightly.js'
import { tempDir } from '../../../../support/temp-dir.js'
import { type GitServer, gitServerForFile } from '../git-server.js'

const startGitServer = gitServerForFile()

const NEVER = new AbortController().signal
const NONE_DELETED = () => Promise.resolve([])
/** Packs from which on a repository is packed: fewer than in production, since each takes a push. */
const manyPacks = 5
const MANY = manyPacks + 2

/** A project that was pushed to `count` times, each push with a ref of a pipeline. */
async function pushedServer(count: number): Promise<{ server: GitServer; tree: string; head: string }> {
  const server = await startGitServer()
  const tree = await workTree()
  await gitOk(tree, 'push', '--quiet', server.remote(), 'main')
  let head = await gitOk(tree, 'rev-parse', 'HEAD')
  for (let index = 1; index < count; index++) {
    head = await commit(tree, { [`file-${index}`]: `content ${index}\n`.repeat(20) })
    await gitOk(tree, 'push', '--quiet', server.remote(), 'main')
    await server.repositories.createPipelineRef(server.project.id, index, head)
  }
  return { server, tree, head }
}

async function packsOf({ repositories, project }: GitServer): Promise<string[]> {
  const names = await readdir(join(repositories.path(project.id), 'objects', 'pack'))
  return names.filter((name) => name.endsWith('.pack'))
}

test('a repository that was pushed to often is put together beside pushes, fetches and reads, and loses nothing', async () => {
  const { server, tree, head } = await pushedServer(MANY)
  const { repositories, project } = server
  expect(await packsOf(server)).toHaveLength(MANY)
  expect(await repositories.readFile(project.id, head, 'file-1')).toContain('content 1')
  const forced = await gitOk(tree, 'rev-parse', 'HEAD~3')
  const [maintained] = await Promise.all([
    runHousekeeping({ ...server, manyPacks, deletedPipelines: NONE_DELETED }, NEVER),
    gitOk(tree, 'push', '--quiet', server.remote(), 'HEAD:refs/heads/other', `${forced}:refs/heads/old`),
    gitOk(await tempDir(), 'clone', '--quiet', server.remote(), '.'),
    repositories.readFile(project.id, head, 'file-5'),
  ])
  expect(maintained).toBe(1)
  expect((await packsOf(server)).length).toBeLessThan(5)
  await gitOk(tree, '--git-dir', repositories.path(project.id), 'fsck', '--full', '--strict')
  // The long-lived reader, whose packs were deleted, finds every object again.
  expect(await repositories.readFile(project.id, head, `file-${MANY - 1}`)).toContain(`content ${MANY - 1}`)
  expect(await repositories.listPipelineRefs(project.id)).toHaveLength(MANY - 1)
  expect(await runHousekeeping({ ...server, manyPacks, deletedPipelines: NONE_DELETED }, NEVER)).toBe(0)
})

testAtNight(
  'refs of pipelines that were deleted, and packs that were never finished, go with it',
  async () => {
    const { server } = await pushedServer(manyPacks)
    const { repositories, project } = server
    const folder = join(repositories.path(project.id), 'objects', 'pack')
    const longAgo = new Date(Date.now() - 2 * 24 * 3_600_000)
    await writeFile(join(folder, 'tmp_pack_old'), 'x')
    await utimes(join(folder, 'tmp_pack_old'), longAgo, longAgo)
    await writeFile(join(folder, 'tmp_pack_new'), 'x')
    const deletedPipelines = async (_: number, ids: number[]) => ids.filter((id) => id < 3)
    await runHousekeeping({ ...server, manyPacks, deletedPipelines }, NEVER)
    expect(await repositories.listPipelineRefs(project.id)).toEqual([3, 4])
    expect((await readdir(folder)).filter((name) => name.startsWith('tmp_'))).toEqual(['tmp_pack_new'])
  },
)

test('lock files of a git that was killed are deleted, those of a git that runs are kept', async () => {
  const { server } = await pushedServer(1)
  const gitDir = server.repositories.path(server.project.id)
  const longAgo = new Date(Date.now() - 11 * 60_000)
  for (const name of ['HEAD', 'packed-refs', 'refs/pipelines/1', 'refs/heads/main']) {
    await mkdir(dirname(join(gitDir, name)), { recursive: true })
    await writeFile(join(gitDir, `${name}.lock`), '')
    if (name !== 'refs/heads/main') await utimes(join(gitDir, `${name}.lock`), longAgo, longAgo)
  }
  await runHousekeeping({ ...server, manyPacks, deletedPipelines: NONE_DELETED }, NEVER)
  const names = await readdir(gitDir, { recursive: true })
  expect(names.filter((name) => name.endsWith('.lock'))).toEqual(['refs/heads/main.lock'])
})

testAtNight('objects that git could not write whole are deleted after a day', async () => {
  const { server } = await pushedServer(1)
  const objects = join(server.repositories.path(server.project.id), 'objects')
  const longAgo = new Date(Date.now() - 2 * 24 * 3_600_000)
  await mkdir(join(objects, 'ab'), { recursive: true })
  await mkdir(join(objects, 'tmp_objdir-incoming-old'))
  await writeFile(join(objects, 'ab', 'tmp_obj_old'), 'x')
  for (const name of ['ab/tmp_obj_old', 'tmp_objdir-incoming-old'])
    await utimes(join(objects, name), longAgo, longAgo)
  await writeFile(join(objects, 'ab', 'tmp_obj_new'), 'x')
  await startHousekeeping(server, server.project.id)
  await expect.poll(() => partialObjects(objects)).toEqual(['ab/tmp_obj_new'])
})

async function partialObjects(objects: string): Promise<string[]> {
  return (await readdir(objects, { recursive: true })).filter((name) => /tmp_obj/.test(name))
}

testAtNight('work claimed by another coordinator is left to it until its claim expires', async () => {
  const { server } = await pushedServer(manyPacks)
  const claim = join(server.repositories.path(server.project.id), 'switchyard-tending')
  const runTask = () => runHousekeeping({ ...server, manyPacks, deletedPipelines: NONE_DELETED }, NEVER)
  await writeFile(claim, '')
  expect(await runTask()).toBe(0)
  expect(await packsOf(server)).toHaveLength(manyPacks)
  const longAgo = new Date(Date.now() - 2 * 24 * 3_600_000)
  await utimes(claim, longAgo, longAgo)
  expect([await runTask(), await runTask()]).toEqual([0, 1])
})

testAtNight('a coordinator that stops does not wait for it', async () => {
  const { server } = await pushedServer(manyPacks)
  const stopping = new AbortController()
  const gitDir = server.repositories.path(server.project.id)
  const watcher = watch(gitDir, () => stopping.abort()) // when the folder is claimed
  onTestFinished(() => watcher.close())
  expect(
    await runHousekeeping({ ...server, manyPacks, deletedPipelines: NONE_DELETED }, stopping.signal),
  ).toBe(0)
  expect(stopping.signal.aborted).toBe(true)
  expect(await readdir(gitDir)).not.toContain('switchyard-tending')
  await gitOk('/', '--git-dir', gitDir, 'fsck', '--full')
})
