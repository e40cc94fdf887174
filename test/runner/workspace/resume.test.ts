import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'

import { createBindWorkspaceProvider } from '../../../src/runner/workspace/bind-workspace.js'
import { openForFile } from '../../support/lifetime.js'
import { sampled, testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'
import { NEVER } from '../executor/docker-jobs.js'
import { type GitServer, startGitServer } from './git-server.js'
import { areMounted, openWorkspace, prepare } from './workspaces.js'

/** A git that waits for its input, as one that a killed runner has left. */
function startGit(directory: string) {
  const child = spawn('git', ['cat-file', '--batch'], { cwd: directory, stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

testAtNight(
  'git processes of a killed runner are ended before their directory is used, and no others',
  async () => {
    const { server, sha } = served()
    const { workspace, gitDir, work, root } = await openWorkspace()
    await prepare(workspace, server, sha)
    const neighbour = await openWorkspace(root, { projectId: 33 })
    await prepare(neighbour.workspace, server, sha)
    const orphans = [startGit(gitDir), ...(areMounted() ? [startGit(join(work, 'dir'))] : [])]
    const others = [startGit(neighbour.gitDir), startGit(server.work)]
    const sleeper = spawn('sleep', ['600'], { cwd: gitDir, stdio: 'ignore' })
    onTestFinished(() => void sleeper.kill('SIGKILL'))
    const ended = Promise.all(orphans.map((orphan) => once(orphan, 'exit')))

    const { workspace: again } = await openWorkspace(root)
    await prepare(again, server, sha)

    expect((await ended).map(([, signal]) => signal as unknown)).toEqual(orphans.map(() => 'SIGKILL'))
    expect([...others, sleeper].map((child) => child.exitCode ?? child.signalCode)).toEqual([
      null,
      null,
      null,
    ])
  },
)

/** What a SIGKILL may leave, each in a workspace that had a job before. */
const REMAINS: [string, (place: { gitDir: string; work: string }) => Promise<unknown>][] = [
  ['a repository that was being removed', ({ gitDir }) => rm(join(gitDir, 'objects'), { recursive: true })],
  ['a repository that was being made', ({ gitDir }) => rm(join(gitDir, 'switchyard-format'))],
  ['an empty repository', ({ gitDir }) => rm(join(gitDir, 'config'))],
  ['a work tree that was being emptied', ({ work }) => rm(join(work, 'file'))],
  ['half a .git', ({ work }) => rm(join(work, '.git/HEAD'))],
  ['no index', ({ gitDir }) => rm(join(gitDir, 'index'))],
  ['an index that was being written', ({ gitDir }) => cp(join(gitDir, 'index'), join(gitDir, 'index.lock'))],
  ['half a pack', ({ gitDir }) => writeFile(join(gitDir, 'objects/pack/tmp_pack_x'), 'x')],
  ['a lock of the packing', ({ gitDir }) => writeFile(join(gitDir, 'gc.pid'), '1 elsewhere')],
]

const served = openForFile(async () => {
  const server = await startGitServer()
  const before = await server.commit('echo one > file; echo old > gone')
  const sha = await server.commit('rm gone; echo two > file; mkdir dir; echo three > dir/file')
  return { server, before, sha }
})

test.each(sampled(REMAINS, 3))('%s does not affect the next attempt', async (_, spoil) => {
  const { server, before, sha } = served()
  const { workspace, gitDir, work } = await openWorkspace()
  await prepare(workspace, server, before)
  await spoil({ gitDir, work })
  await prepare(workspace, server, sha)
  expect((await readdir(work)).sort()).toEqual(['.git', 'dir', 'file'])
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('two\n')
  expect(await readFile(join(work, '.git/HEAD'), 'utf8')).toBe(`${sha}\n`)
  expect(await readdir(join(gitDir, 'objects/pack'))).not.toContain('tmp_pack_x')
})

test('a resumed workspace keeps its temporary files, a new one has none', async () => {
  const root = join(await tempDir(), 'builds')
  const provider = createBindWorkspaceProvider({ root })
  const request = { projectId: 3, projectPath: 'group/project', concurrentProjectId: 0, isProtected: false }
  const first = await provider.open(request)
  await first.writeTemporaryFile('KEY', 'value')
  const again = await provider.reopen(request)
  expect(again.mounts).toEqual(first.mounts)
  const temporary = first.mounts[1]?.hostPath ?? ''
  await writeFile(join(temporary, 'script-lines', 'step_script.1.0'), '')
  expect(await readdir(temporary)).toEqual(['KEY', 'script-lines'])
  expect(await again.readMarks(NEVER)).toMatchObject([{ name: 'step_script.1.0' }])
  const third = await provider.open(request)
  expect(await readdir(temporary)).toEqual(['script-lines'])
  expect(await third.readMarks(NEVER)).toEqual([])
})

test('marks of scripts are regular files: links, and a directory that the job has replaced, are not followed', async () => {
  const root = join(await tempDir(), 'builds')
  const request = { projectId: 3, projectPath: 'group/project', concurrentProjectId: 0, isProtected: false }
  const workspace = await createBindWorkspaceProvider({ root }).open(request)
  const temporary = workspace.mounts[1]?.hostPath ?? ''
  const marks = join(temporary, 'script-lines')
  await writeFile(join(temporary, 'step_script.2.0'), '')
  await symlink('../step_script.2.0', join(marks, 'step_script.1.0'))
  await mkdir(join(marks, 'step_script.3.0'))
  expect(await workspace.readMarks(NEVER)).toEqual([])
  await rm(marks, { recursive: true })
  await symlink('.', marks)
  expect(await workspace.readMarks(NEVER)).toEqual([])
})

test('a cleared workspace is empty, and the next attempt fills it', async () => {
  const { server, before: sha } = served()
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, sha)
  await mkdir(join(work, 'locked'), { mode: 0 })
  await workspace.clear(NEVER)
  expect(await readdir(work)).toEqual([])
  expect(await prepare(workspace, server, sha)).not.toContain('Created fresh repository')
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('one\n')
})

async function countPacks(gitDir: string): Promise<number> {
  return (await readdir(join(gitDir, 'objects/pack'))).filter((name) => name.endsWith('.pack')).length
}

/** Adds packs, as fetches do. All hold the same objects: git does not compare the name of a pack with its contents. */
async function leavePacks(server: GitServer, gitDir: string, count: number): Promise<void> {
  const folder = join(gitDir, 'objects/pack')
  const options = { input: await server.git('rev-parse', 'HEAD'), cwd: server.work }
  const { stdout: name } = await execa('git', ['pack-objects', '-q', join(folder, 'pack')], options)
  for (let number = 1; number < count; number++) {
    const copy = number.toString().padStart(40, '0')
    for (const kind of ['pack', 'idx']) {
      await copyFile(join(folder, `pack-${name}.${kind}`), join(folder, `pack-${copy}.${kind}`))
    }
  }
}

testAtNight('a repository with many packs is repacked after a job, and works for the next job', async () => {
  const server = await startGitServer()
  const older = 'for n in 1 2; do echo $n > file; git add file; git commit -qm change; done'
  const sha = await server.commit(`${older}; echo 3 > file`)
  const { workspace, gitDir, work } = await openWorkspace()
  await prepare(workspace, server, sha, { depth: 0 })
  await workspace.maintain()
  const before = await countPacks(gitDir)
  await leavePacks(server, gitDir, 25)
  expect(await countPacks(gitDir)).toBe(before + 25)
  await workspace.maintain()
  expect(await countPacks(gitDir)).toBe(1)
  const next = await server.commit('echo next > file')
  expect(await prepare(workspace, server, next, { depth: 0 })).not.toContain('Starting from scratch')
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('next\n')
})

test('a workspace without a repository is not repacked', async () => {
  const { workspace, gitDir } = await openWorkspace()
  await workspace.maintain()
  expect(existsSync(join(gitDir, 'HEAD'))).toBe(false)
})
