import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { gitEnvironmentOfJob } from '../../../src/runner/workspace/job-credentials.js'
import { openForFile } from '../../support/lifetime.js'
import { variants } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'
import { NEVER } from '../executor/docker-jobs.js'
import { startGitServer } from './git-server.js'
import { type OpenWorkspace, openWorkspace, prepare } from './workspaces.js'

/** Old: git before 2.31, which takes no settings from the environment. */
type Git = 'current' | 'old'

/** Runs a script as a job would, with the token of the job in its environment. */
async function inJob(
  { workspace, work, objects, modules }: OpenWorkspace,
  script: string,
  { git = 'current', token }: { git?: Git; token: string | undefined },
) {
  const { GIT_CONFIG_COUNT: count, ...rest } = workspace.environment
  // The objects are at other paths in a container.
  const paths = `s,/builds/group/project.git-objects,${objects},; s,/builds/group/project.git-modules,${modules},`
  await execa('sh', ['-c', 'find .git -name alternates -exec sed -i "$0" {} +', paths], { cwd: work })
  return await execa('sh', ['-ec', script], {
    cwd: work,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    all: true,
    env: {
      PATH: process.env['PATH'],
      HOME: await tempDir(),
      GIT_CONFIG_NOSYSTEM: '1',
      ...rest,
      ...(git === 'current' ? { GIT_CONFIG_COUNT: count } : {}),
      ...(token === undefined ? {} : { CI_JOB_TOKEN: token }),
    },
  })
}

/** A server whose project has three commits, a tag and a submodule. */
const served = openForFile(async () => {
  const server = await startGitServer()
  const lib = await server.addRepository('group/lib')
  const libSha = await lib.commit('echo lib > lib-file')
  await lib.commit('echo newer > lib-file')
  for (const text of ['one', 'two']) await server.commit(`echo ${text} > file`)
  await server.git('tag', 'v1')
  await server.git('push', '--quiet', 'origin', 'v1')
  const sha = await server.commit(
    'git config -f .gitmodules submodule.lib.path lib; git config -f .gitmodules submodule.lib.url ../lib.git; ' +
      `git update-index --add --cacheinfo 160000,${libSha},lib; mkdir -p lib`,
  )
  return { server, lib, sha }
})

async function shallowJob(): Promise<OpenWorkspace> {
  const { server, sha } = served()
  const opened = await openWorkspace(undefined, { repositoryUrl: server.repoUrl })
  const submodules = { isRecursive: false, depth: 1, paths: [], isRemote: false, forceHttps: false }
  await prepare(opened.workspace, server, sha, { depth: 1, settings: { submodules } })
  return opened
}

test.each(variants<Git>(['current'], ['old']))(
  'in a job of a private project, the %s git fetches branches, tags, history and submodules',
  async (git) => {
    const job = await shallowJob()
    const script =
      'git rev-list --count HEAD; git fetch -q; git fetch -q --tags; git fetch -q --unshallow origin; ' +
      'git rev-list --count HEAD; git tag; git fetch -q origin main; ' +
      'cd lib; git fetch -q --unshallow; git show origin/main:lib-file'
    const { exitCode, all } = await inJob(job, script, { git, token: served().server.token })
    expect({ exitCode, all }).toEqual({ exitCode: 0, all: '1\n3\nv1\nnewer' })
  },
)

test('git fails at once, without asking for a password, when the job gives no token or a wrong one', async () => {
  const job = await shallowJob()
  for (const token of [undefined, 'of another job']) {
    const { exitCode, all } = await inJob(job, 'git fetch', { token })
    expect(exitCode).toBe(128)
    expect(all).toMatch(/terminal prompts disabled|Authentication failed/)
  }
})

test('the current git clones other projects of the server, and gets nothing for other servers', async () => {
  const { server, lib } = served()
  const other = await startGitServer()
  const job = await shallowJob()
  const withoutUser = (url: string) => url.replace(/\/\/.*@/, '//')
  const there = await tempDir()
  const own = await inJob(
    job,
    `git clone -q ${withoutUser(lib.repoUrl)} ${there}/lib; cat ${there}/lib/lib-file`,
    {
      token: server.token,
    },
  )
  expect(own.all).toBe('newer')
  const before = [...other.authorizations]
  const foreign = await inJob(job, `git clone -q ${withoutUser(other.repoUrl)} ${there}/other`, {
    token: server.token,
  })
  expect(foreign.exitCode).toBe(128)
  expect([...other.authorizations]).toEqual(before)
})

test('no file of the workspace has the token, also after the job has used it, and the next job needs its own', async () => {
  const { server } = served()
  const job = await shallowJob()
  await inJob(job, 'git fetch -q --unshallow', { token: server.token })
  const found = await execa('grep', ['-rlF', server.token, job.root], { reject: false })
  expect(found.stdout).toBe('')
  expect(await readFile(join(job.work, '.git/config'), 'utf8')).toContain('$CI_JOB_TOKEN')
  await prepare(job.workspace, server, 'f'.repeat(40), { strategy: 'none' })
  expect((await inJob(job, 'git fetch', { token: undefined })).exitCode).toBe(128)
  const selected = await job.workspace.selectFiles({ paths: ['**'], exclude: [], untracked: true }, NEVER)
  expect(selected.names).toContain('.git/config')
})

test.each([
  ['a public project', 'https://ci.example.com/g/p.git'],
  ['a local repository', 'file:///srv/p.git'],
  ['no repository', undefined],
])('%s gives git in the job no credentials, and no prompts', (_what, url) => {
  const environment = gitEnvironmentOfJob(url)
  expect(environment).toMatchObject({ GIT_CONFIG_COUNT: '1', GIT_TERMINAL_PROMPT: '0' })
  expect(JSON.stringify(environment)).not.toContain('credential')
})

test('a user name of the address cannot add a command to the helper', () => {
  const url = 'https://$(touch evil);x:secret@ci.example.com:8443/g/p.git'
  const environment = gitEnvironmentOfJob(url)
  expect(environment['GIT_CONFIG_KEY_1']).toBe('credential.https://ci.example.com:8443.helper')
  expect(environment['GIT_CONFIG_VALUE_1']).toContain('username=gitlab-ci-token')
  expect(JSON.stringify(environment)).not.toMatch(/evil|secret/)
})
