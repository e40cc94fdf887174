import { existsSync } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import type { SubmoduleSettings } from '../../../../src/runner/workspace/git-flags.js'
import { gitImage } from '../../../support/docker-image.js'
import { tempDir } from '../../../support/temp-dir.js'
import { openBench, runScripts } from '../../executor/docker-jobs.js'
import { type GitServer, type ServedRepository, startGitServer } from '../git-server.js'
import { areMounted, openWorkspace, prepare } from '../workspaces.js'

const NORMAL: SubmoduleSettings = {
  isRecursive: false,
  depth: 20,
  paths: [],
  isRemote: false,
  forceHttps: false,
}

/** Servers of tests are there. */
const LOOPBACK = [{ kind: 'network', address: '127.0.0.1', prefix: 32, family: 'ipv4' }] as const

function wanting(more: Partial<SubmoduleSettings> = {}) {
  return { settings: { submodules: { ...NORMAL, ...more } } }
}

/** A script that adds a submodule at `path` without asking its server. */
function adding(path: string, url: string, sha: string): string {
  const set = `git config -f .gitmodules submodule.${path}`
  return `${set}.path ${path}; ${set}.url "${url}"; mkdir -p ${path}; git update-index --add --cacheinfo 160000,${sha},${path}`
}

interface Family {
  server: GitServer
  lib: ServedRepository
  inner: ServedRepository
  /** Commits: `project` has `libs/lib`, which has `inner`. */
  shas: { project: string; lib: string; inner: string }
}

async function startFamily(): Promise<Family> {
  const server = await startGitServer()
  const lib = await server.addRepository('group/lib')
  const inner = await server.addRepository('other/inner')
  const innerSha = await inner.commit('echo inner > inner-file')
  const libSha = await lib.commit(
    `echo lib > lib-file; ${adding('inner', '../../other/inner.git', innerSha)}`,
  )
  const project = await server.commit(`echo top > file; ${adding('libs/lib', '../lib.git', libSha)}`)
  return { server, lib, inner, shas: { project, lib: libSha, inner: innerSha } }
}

test('the strategy normal fetches direct submodules, recursive fetches all', async () => {
  const { server, shas } = await startFamily()
  const { workspace, work } = await openWorkspace()
  const log = await prepare(workspace, server, shas.project, wanting())
  expect(log).toContain('Updating/initializing submodules with git depth set to 20...')
  expect(log).toContain(`Submodule path 'libs/lib': checked out '${shas.lib}'`)
  expect(await readFile(join(work, 'libs/lib/lib-file'), 'utf8')).toBe('lib\n')
  expect(await readdir(join(work, 'libs/lib/inner'))).toEqual([])

  const next = await prepare(workspace, server, shas.project, wanting({ isRecursive: true, depth: 0 }))
  expect(next).toContain('Updating/initializing submodules recursively...')
  expect(await readFile(join(work, 'libs/lib/inner/inner-file'), 'utf8')).toBe('inner\n')

  expect(await prepare(workspace, server, shas.project)).toContain('Skipping Git submodules setup')
  expect(await readdir(join(work, 'libs/lib'))).toEqual([])
})

test('git of the image works in submodules and cannot write the repositories of the runner', async () => {
  const { server, shas } = await startFamily()
  const { workspace, mounts, modules } = await openWorkspace()
  await prepare(workspace, server, shas.project, wanting({ isRecursive: true }))
  const bench = await openBench({ image: await gitImage(), networkMode: 'none' })
  const script = [
    'export PATH=/usr/bin:/bin; set -e; cd /builds/group/project',
    'git status --porcelain; git config --get submodule.libs/lib.url',
    'cd libs/lib; git rev-parse HEAD; git remote get-url origin; git status --porcelain',
    'cd inner; git rev-parse HEAD; git log --format=%s; cd ..',
    'echo two > lib-file; git -c user.name=a -c user.email=a commit -qam two; cd ../..; git status --porcelain',
    'touch /builds/group/project.git-modules/x || echo read-only',
  ].join('\n')
  const { text, exitCodes } = await runScripts(bench, [script], {
    mounts: [...bench.place.mounts, ...mounts],
    environment: workspace.environment,
  })
  const url = server.repoUrl.replace(/\/\/.*@/, '//').replace('project', 'lib')
  expect(text).toContain(`${url}\n${shas.lib}\n${url}\n${shas.inner}\nchange\n M libs/lib\n`)
  if (areMounted()) expect(text).toMatch(/read-only\n$/)
  expect(exitCodes).toEqual([0])
  expect(existsSync(join(modules, 'x'))).toBe(false)
})

test('the next job gets the submodules of its commit, whatever the last job left', async () => {
  const { server, lib, shas } = await startFamily()
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, shas.project, wanting())
  const outside = await tempDir()
  const spoil = [
    'echo changed > libs/lib/lib-file; echo left > libs/lib/left; rm libs/lib/.git',
    'git init -q libs/lib; git -C libs/lib config core.fsmonitor "touch $T/ran"',
    'printf "#!/bin/sh\\ntouch $T/ran" > libs/lib/.git/post-checkout; rm -rf .git/modules; ln -s $T .git/modules',
  ].join('; ')
  await execa('sh', ['-ec', spoil], { cwd: work, env: { T: outside } })
  const libSha = await lib.commit('echo newer > lib-file')
  const sha = await server.commit(`git update-index --cacheinfo 160000,${libSha},libs/lib; mkdir -p libs/lib`)
  await prepare(workspace, server, sha, wanting())
  expect((await readdir(join(work, 'libs/lib'))).sort()).toEqual(['.git', '.gitmodules', 'inner', 'lib-file'])
  expect(await readFile(join(work, 'libs/lib/lib-file'), 'utf8')).toBe('newer\n')
  expect((await lstat(join(work, 'libs/lib/.git'))).isFile()).toBe(true)
  expect(await readdir(outside)).toEqual([])

  await execa('sh', ['-ec', 'rm -rf libs; ln -s $T libs'], { cwd: work, env: { T: outside } })
  await prepare(workspace, server, sha, wanting())
  expect(await readFile(join(work, 'libs/lib/lib-file'), 'utf8')).toBe('newer\n')
  expect(await readdir(outside)).toEqual([])

  await prepare(
    workspace,
    server,
    await server.commit('git rm -q -f --cached libs/lib; rm -rf libs'),
    wanting(),
  )
  expect(existsSync(join(work, 'libs'))).toBe(false)
})

test('paths select submodules, and the directories of the others are empty', async () => {
  const { server, shas } = await startFamily()
  const sha = await server.commit(adding('extra', '../lib.git', shas.lib))
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, sha, wanting({ paths: ['extra'] }))
  expect(await readdir(join(work, 'libs/lib'))).toEqual([])
  expect(await readdir(join(work, 'extra'))).toContain('lib-file')
  await prepare(workspace, server, sha, wanting({ paths: [':(exclude)extra'] }))
  expect(await readdir(join(work, 'extra'))).toEqual([])
  expect(await readdir(join(work, 'libs/lib'))).toContain('lib-file')
})

test('the tip of a branch replaces the recorded commit when the job requests it', async () => {
  const { server, lib, shas } = await startFamily()
  await lib.commit('echo tip > lib-file')
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, shas.project, wanting({ isRemote: true }))
  expect(await readFile(join(work, 'libs/lib/lib-file'), 'utf8')).toBe('tip\n')
})

test('a server that serves only refs is asked for all refs', async () => {
  const { server, lib, shas } = await startFamily()
  await lib.commit('echo tip > lib-file')
  server.speakOldProtocol()
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, shas.project, wanting())
  expect(await readFile(join(work, 'libs/lib/lib-file'), 'utf8')).toBe('lib\n')
})

test('the job token is sent only to the server of the project, and is in no file', async () => {
  const { server } = await startFamily()
  const foreign = await startGitServer('sha1', { isPublic: true })
  const foreignSha = await foreign.commit('echo foreign > foreign-file')
  const { workspace, work, root } = await openWorkspace()
  const sha = await server.commit(adding('foreign', foreign.repoUrl, foreignSha))
  const { settings } = wanting({ isRecursive: true })
  await prepare(workspace, server, sha, { settings: { ...settings, allowedLocalHosts: LOOPBACK } })
  expect(await readFile(join(work, 'foreign/foreign-file'), 'utf8')).toBe('foreign\n')
  expect([...foreign.authorizations]).toEqual([])
  const encoded = Buffer.from(`gitlab-ci-token:${server.token}`).toString('base64')
  const found = await execa('grep', ['-rlF', '-e', server.token, '-e', encoded, root], { reject: false })
  expect(found.stdout).toBe('')
})

test.each([
  ['an address that runs a program', 'ext::sh -c "touch ran"', 'is not an http or https URL'],
  ['a folder of the machine', '/etc', 'is not an http or https URL'],
  ['SSH', 'git@example.com:a/b', 'GIT_SUBMODULE_FORCE_HTTPS'],
])('%s as a submodule fails the job with its name', async (_, url, words) => {
  const { server, shas } = await startFamily()
  const { workspace } = await openWorkspace()
  const sha = await server.commit(
    `${adding('bad', '../x', shas.lib)}; git config -f .gitmodules submodule.bad.url '${url}'`,
  )
  await expect(prepare(workspace, server, sha, wanting())).rejects.toThrow(words)
  await expect(prepare(workspace, server, sha, wanting())).rejects.toThrow('"bad"')
  await prepare(workspace, server, sha)
})

test('a command in .gitmodules is not run, and .gitmodules of the work tree is not read', async () => {
  const { server } = await startFamily()
  const outside = await tempDir()
  const { workspace, work } = await openWorkspace()
  const sha = await server.commit(
    `git config -f .gitmodules submodule.libs/lib.update "!touch ${outside}/ran"`,
  )
  await prepare(workspace, server, sha, wanting())
  await execa('git', ['config', '-f', '.gitmodules', 'submodule.libs/lib.url', '/etc'], { cwd: work })
  await prepare(workspace, server, sha, wanting())
  expect(await readFile(join(work, 'libs/lib/lib-file'), 'utf8')).toBe('lib\n')
  expect(await readdir(outside)).toEqual([])
})

test('a submodule missing from .gitmodules fails the job as in git', async () => {
  const { server } = await startFamily()
  const sha = await server.commit('git config -f .gitmodules --remove-section submodule.libs/lib')
  const { workspace } = await openWorkspace()
  await expect(prepare(workspace, server, sha, wanting())).rejects.toThrow(
    "no submodule mapping found in .gitmodules for path 'libs/lib'",
  )
})
