import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { openPodWorkspace } from '../../../src/runner/helper/server/pod-workspace.js'
import { QuietHomes } from '../../../src/runner/workspace/quiet-homes.js'
import { startGitServer } from '../workspace/git-server.js'
import { prepare } from '../workspace/workspaces.js'
import { createPlaces } from './helped-job.js'

const REQUEST = { projectId: 3, projectPath: 'group/project', concurrentProjectId: 0, isProtected: false }

test('a volume with the files of an earlier job has those of the commit, and nothing that the job left', async () => {
  const server = await startGitServer()
  const sha = await server.commit('echo one >file; mkdir dir; echo two >dir/file')
  const places = await createPlaces()
  const request = { ...REQUEST, buildsDir: places.builds, repositoryUrl: server.repoUrl }
  const first = await openPodWorkspace(places, request, new QuietHomes(), true)
  await prepare(first, server, sha)
  await first.writeTemporaryFile('SECRET', 'of the first job')
  await writeFile(join(first.projectDir, 'file'), 'changed')
  await writeFile(join(first.projectDir, 'left'), 'left')
  await writeFile(join(first.projectDir, '.git/config'), 'not a configuration')
  await rm(join(first.projectDir, 'dir'), { recursive: true })
  await symlink('/etc', join(first.projectDir, 'dir'))
  // The next pod has the same volume, and a new directory for git.
  const next = { ...places, git: join(places.own, 'git') }
  await mkdir(next.git)
  const second = await openPodWorkspace(next, request, new QuietHomes(), true)
  await prepare(second, server, sha)
  const { projectDir } = second
  expect((await readdir(projectDir)).sort()).toEqual(['.git', 'dir', 'file'])
  expect(await readFile(join(projectDir, 'file'), 'utf8')).toBe('one\n')
  expect((await lstat(join(projectDir, 'dir'))).isDirectory()).toBe(true)
  expect(await readFile(join(projectDir, '.git/objects/info/alternates'), 'utf8')).toBe(
    `${next.git}/repository/objects\n`,
  )
  expect(await readdir(second.temporaryDir)).toEqual(['script-lines'])
})

test('closing it leaves no file of a variable in the volume', async () => {
  const places = await createPlaces()
  const request = { ...REQUEST, buildsDir: places.builds }
  const workspace = await openPodWorkspace(places, request, new QuietHomes(), true)
  await workspace.writeTemporaryFile('SECRET', 'of the job')
  await workspace.close()
  const left = await readdir(places.builds, { recursive: true })
  expect(left.sort()).toEqual(['.switchyard-removed', 'group', 'group/project'])
})

test('links that an earlier job left in a volume lead the helper nowhere', async () => {
  const places = await createPlaces()
  const victim = join(places.own, 'victim')
  await mkdir(victim)
  for (const name of ['group', '.switchyard-removed']) await symlink(victim, join(places.builds, name))
  const request = { ...REQUEST, buildsDir: places.builds }
  const workspace = await openPodWorkspace(places, request, new QuietHomes(), true)
  await workspace.writeTemporaryFile('file', '')
  expect(await readdir(victim)).toEqual([])
  const outside = { ...request, projectDir: join(places.own, 'project') }
  await expect(openPodWorkspace(places, outside, new QuietHomes(), true)).rejects.toThrow('is not below')
})
