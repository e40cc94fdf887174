import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { SourcesError } from '../../../src/runner/workspace/workspace.js'
import { busyboxImage, gitHttpImage, gitImage } from '../../support/docker-image.js'
import { IS_NIGHTLY, testAtNight } from '../../support/nightly.js'
import { openBench, runScripts } from '../executor/docker-jobs.js'
import { startGitServer } from './git-server.js'
import { areMounted, type OpenWorkspace, openWorkspace, prepare } from './workspaces.js'

test('the first job gets the files of its commit, and the log says how', async () => {
  const server = await startGitServer()
  const sha = await server.commit(
    'mkdir dir; echo one > dir/file; ln -s dir link; echo x > run; chmod 755 run',
  )
  const { workspace, work } = await openWorkspace()
  const log = await prepare(workspace, server, sha)
  expect(await readFile(join(work, 'dir/file'), 'utf8')).toBe('one\n')
  expect((await stat(join(work, 'run'))).mode & 0o777).toBe(0o755)
  expect(stripVTControlCharacters(log).split('\n')).toEqual([
    'Fetching changes with git depth set to 20...',
    'Initialized empty Git repository in /builds/group/project/.git/',
    'Created fresh repository.',
    `Checking out ${sha.slice(0, 8)} as detached HEAD (ref is main)...`,
    'Skipping Git submodules setup',
    '',
  ])
  expect([...server.userAgents]).toEqual(['switchyard test'])
})

testAtNight(
  'a temporarily unavailable server is retried, and named with advice if it is this machine',
  async () => {
    const server = await startGitServer()
    const sha = await server.commit('echo one > file')
    const { workspace, work } = await openWorkspace()
    server.breakConnections(1)
    const log = await prepare(workspace, server, sha)
    const { host, origin } = new URL(server.repoUrl)
    expect(log).toContain(`The server of the repository, ${host}, does not respond. Retrying...`)
    expect(log).toContain(
      `${origin} is the machine or the container of this runner. If the coordinator runs elsewhere, `,
    )
    expect(await readFile(join(work, 'file'), 'utf8')).toBe('one\n')
  },
)

test('the next job gets the change and no files of the last job', async () => {
  const server = await startGitServer()
  const { workspace, root, work } = await openWorkspace()
  await prepare(
    workspace,
    server,
    await server.commit('echo one > file; echo b > gone; echo "*.o" > .gitignore'),
  )
  await execa('sh', ['-ec', 'echo changed > file; mkdir -p new/.git sub; echo x > sub/a.o; chmod 500 sub'], {
    cwd: work,
  })
  await workspace.close()

  const next = await openWorkspace(root)
  const log = await prepare(next.workspace, server, await server.commit('rm gone; echo two > other'))
  expect(log).not.toContain('Created fresh repository')
  expect((await readdir(next.work)).sort()).toEqual(['.git', '.gitignore', 'file', 'other'])
  expect(await readFile(join(next.work, 'file'), 'utf8')).toBe('one\n')
})

test('the strategy clone starts from nothing, none changes nothing, empty leaves nothing', async () => {
  const server = await startGitServer()
  const sha = await server.commit('echo one > file')
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, sha)
  await writeFile(join(work, 'left'), '')
  await prepare(workspace, server, sha, { strategy: 'none' })
  expect((await readdir(work)).sort()).toEqual(['.git', 'file', 'left'])
  expect(await prepare(workspace, server, sha, { strategy: 'clone' })).toContain('Created fresh repository.')
  expect((await readdir(work)).sort()).toEqual(['.git', 'file'])
  await prepare(workspace, server, sha, { strategy: 'empty' })
  expect(await readdir(work)).toEqual([])
  await prepare(workspace, server, sha)
  expect((await readdir(work)).sort()).toEqual(['.git', 'file'])
})

testAtNight('depth 0 after a shallow job fetches the whole history and tags', async () => {
  const server = await startGitServer()
  await server.commit('echo 1 > file')
  await server.git('tag', 'v1')
  await server.git('push', '--quiet', 'origin', 'v1')
  await server.commit('echo 2 > file')
  const sha = await server.commit('echo 3 > file')
  const opened = await openWorkspace()
  const { workspace, work } = opened
  const count = () => jobGit(opened, 'rev-list', '--count', 'HEAD')
  await prepare(workspace, server, sha, { depth: 1 })
  expect(await count()).toBe('1')
  const refspecs = ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*']
  const log = await prepare(workspace, server, sha, { depth: 0, refspecs })
  expect(log).toContain('Fetching changes...')
  expect(await count()).toBe('3')
  expect(await readFile(join(work, '.git/packed-refs'), 'utf8')).toMatch(/refs\/tags\/v1\n/)
})

/** Reads the job's repository with the objects where the host has them. */
async function jobGit({ objects, work }: OpenWorkspace, ...args: string[]): Promise<string> {
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }
  return (await execa('git', args, { cwd: work, env })).stdout
}

test('a job without checkout gets the refs and keeps the files', async () => {
  const server = await startGitServer()
  const first = await server.commit('echo one > file')
  const opened = await openWorkspace()
  const { workspace, work } = opened
  await prepare(workspace, server, first)
  await writeFile(join(work, 'left'), '')
  const second = await server.commit('echo two > file')
  const log = await prepare(workspace, server, second, { settings: { checkout: false } })
  expect(log).toContain('Skipping Git checkout')
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('one\n')
  expect((await readdir(work)).sort()).toEqual(['.git', 'file', 'left'])
  expect(await jobGit(opened, 'rev-parse', 'HEAD', 'origin/main')).toBe(`${first}\n${second}`)
})

test('a first job without checkout has an empty directory with the refs', async () => {
  const server = await startGitServer()
  const sha = await server.commit('echo one > file')
  const opened = await openWorkspace()
  await prepare(opened.workspace, server, sha, { settings: { checkout: false } })
  expect(await readdir(opened.work)).toEqual(['.git'])
  expect(await jobGit(opened, 'rev-parse', 'origin/main')).toBe(sha)
})

// A volume begins empty: there is nothing to choose from.
test.runIf(IS_NIGHTLY && areMounted())('the flags of git clean decide which files stay', async () => {
  const server = await startGitServer()
  const sha = await server.commit('echo one > file; echo "*.o" > .gitignore')
  const { workspace, work } = await openWorkspace()
  const leave = () => execa('sh', ['-ec', 'mkdir -p kept; touch kept/x left a.o'], { cwd: work })
  await prepare(workspace, server, sha)
  await leave()
  await prepare(workspace, server, sha, { settings: { cleanFlags: undefined } })
  expect((await readdir(work)).sort()).toEqual(['.git', '.gitignore', 'a.o', 'file', 'kept', 'left'])
  await prepare(workspace, server, sha, { settings: { cleanFlags: ['-ffdx', '-e', 'kept/'] } })
  expect((await readdir(work)).sort()).toEqual(['.git', '.gitignore', 'file', 'kept'])
  await leave()
  await prepare(workspace, server, sha, { settings: { cleanFlags: ['-ffd'] } })
  expect((await readdir(work)).sort()).toEqual(['.git', '.gitignore', 'a.o', 'file'])
})

testAtNight('fetch flags are applied, and the output of git without --quiet is shown', async () => {
  const server = await startGitServer()
  const sha = await server.commit('echo one > file')
  await server.git('tag', 'v1')
  await server.git('push', '--quiet', 'origin', 'v1')
  const opened = await openWorkspace()
  const log = await prepare(opened.workspace, server, sha, { settings: { fetchFlags: ['--tags'] } })
  expect(log).toContain('[new tag]')
  expect(log).not.toContain(server.token)
  expect(await jobGit(opened, 'tag')).toBe('v1')
})

test('merge requests, tags and pipelines are fetched with the refspecs of the coordinator', async () => {
  const server = await startGitServer()
  await server.commit('echo one > file')
  await server.git('checkout', '--quiet', '-b', 'feature')
  await server.git('commit', '--quiet', '--allow-empty', '-m', 'feature')
  const sha = await server.git('rev-parse', 'HEAD')
  const ref = 'refs/merge-requests/5/head'
  await server.git('push', '--quiet', 'origin', `HEAD:${ref}`, 'HEAD:refs/pipelines/9')
  const refspecs = [`+${ref}:${ref}`, '+refs/pipelines/9:refs/pipelines/9']
  const opened = await openWorkspace()
  const log = await prepare(opened.workspace, server, sha, { ref, refspecs })
  expect(log).toContain(`as detached HEAD (ref is ${ref})`)
  expect(await jobGit(opened, 'rev-parse', 'HEAD', ref, 'refs/pipelines/9')).toBe(`${sha}\n${sha}\n${sha}`)
})

test('no token is in any file of the workspace', async () => {
  const server = await startGitServer()
  const { workspace, root } = await openWorkspace()
  await prepare(workspace, server, await server.commit('echo one > file'))
  const encoded = Buffer.from(`gitlab-ci-token:${server.token}`).toString('base64')
  const found = await execa('grep', ['-rlF', '-e', server.token, '-e', encoded, root], { reject: false })
  expect(found.stdout).toBe('')
  expect(found.exitCode).toBe(1)
})

testAtNight('git of the image works in the work tree and cannot write objects', async () => {
  const server = await startGitServer()
  await server.commit('echo one > file')
  await server.git('tag', '-a', 'v1', '-m', 'v1')
  await server.git('push', '--quiet', 'origin', 'v1')
  const sha = await server.commit('echo two > file')
  const { workspace, mounts, gitDir } = await openWorkspace()
  const refspecs = ['+refs/heads/main:refs/remotes/origin/main', '+refs/tags/*:refs/tags/*']
  await prepare(workspace, server, sha, { refspecs })
  const bench = await openBench({ image: await gitImage(), networkMode: 'none' })
  const script = [
    'set -e; cd /builds/group/project',
    'git status --porcelain; git log -1 --format=%H; git describe; git rev-parse origin/main; git remote get-url origin',
    'echo three > file; git -c user.name=a -c user.email=a commit -qam three; git log --format=%s | head -1',
    'touch /builds/group/project.git-objects/x && echo writable || echo read-only',
  ].join('\n')
  const before = await readdir(join(gitDir, 'objects'))
  const { text, exitCodes } = await runScripts(bench, [script].map(withPath), {
    mounts: [...bench.place.mounts, ...mounts],
    environment: workspace.environment,
  })
  const url = server.repoUrl.replace(/\/\/.*@/, '//')
  expect(text).toContain(`\n${sha}\nv1-1-g${sha.slice(0, 7)}\n${sha}\n${url}\nthree\n`)
  if (areMounted()) expect(text).toMatch(/read-only\n$/)
  expect(exitCodes).toEqual([0])
  expect(await readdir(join(gitDir, 'objects'))).toEqual(before)
})

test('git in the container fetches from the private project with the token of the job', async () => {
  const server = await startGitServer()
  await server.commit('echo one > file')
  const sha = await server.commit('echo two > file')
  const { workspace, mounts } = await openWorkspace(undefined, { repositoryUrl: server.repoUrl })
  await prepare(workspace, server, sha, { depth: 1 })
  const bench = await openBench({ image: await gitHttpImage(), networkMode: 'host' })
  const script = 'cd /builds/group/project; git fetch -q --unshallow --tags && git rev-list --count HEAD'
  const run = (token: string) =>
    runScripts(bench, [script].map(withPath), {
      mounts: [...bench.place.mounts, ...mounts],
      environment: { ...workspace.environment, CI_JOB_TOKEN: token },
    })
  expect((await run('')).text).toContain('terminal prompts disabled')
  const { text, exitCodes } = await run(server.token)
  expect(exitCodes).toEqual([0])
  expect(text).toMatch(/\n2\n$/)
})

function withPath(script: string): string {
  return `export PATH=/usr/bin:/bin\n${script}`
}

test('a missing commit, a wrong token and an invalid ID are reported clearly', async () => {
  const server = await startGitServer()
  const sha = await server.commit('echo one > file')
  const { workspace } = await openWorkspace()
  await expect(prepare(workspace, server, 'f'.repeat(40))).rejects.toThrow(SourcesError)
  await expect(prepare(workspace, server, '--upload-pack=x')).rejects.toThrow('is not a commit ID')
  const repoUrl = server.repoUrl.replace(server.token, 'wrong')
  const failure = await prepare(workspace, server, sha, { repo_url: repoUrl }).catch(
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(SourcesError)
  expect(String(failure)).toMatch(/Authentication failed|could not read Username/i)
  expect(String(failure)).not.toContain('wrong')
  await expect(prepare(workspace, server, sha, { repo_url: 'file:///etc' })).rejects.toThrow(
    'not an http or https',
  )
  await prepare(workspace, server, sha)
})

test('a fetch can be aborted, and the next job works', async () => {
  const server = await startGitServer()
  const sha = await server.commit('echo one > file')
  const { workspace } = await openWorkspace()
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const abort = new AbortController()
  silent.once('connection', () => abort.abort(new Error('timed out')))
  const repoUrl = server.repoUrl.replace(/:\d+\//, `:${(silent.address() as AddressInfo).port}/`)
  const fetching = prepare(workspace, server, sha, { repo_url: repoUrl, signal: abort.signal })
  await expect(fetching).rejects.toThrow('timed out')
  silent.close()
  await prepare(workspace, server, sha)
})

test('a repository with SHA-256 replaces one with SHA-1', async () => {
  const short = await startGitServer()
  const long = await startGitServer('sha256')
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, short, await short.commit('echo one > file'))
  const sha = await long.commit('echo two > file')
  await prepare(workspace, long, sha, { repo_object_format: 'sha256' })
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('two\n')
  expect(await readFile(join(work, '.git/config'), 'utf8')).toContain('objectformat = sha256')
})

testAtNight('locks and broken objects of a killed git process do not stop the next job', async () => {
  const server = await startGitServer()
  const sha = await server.commit('echo one > file')
  const { workspace, gitDir, work } = await openWorkspace()
  await prepare(workspace, server, sha)
  for (const lock of ['index.lock', 'shallow.lock', 'refs/remotes/origin/main.lock'])
    await writeFile(join(gitDir, lock), '')
  const second = await server.commit('echo two > file')
  expect(await prepare(workspace, server, second)).not.toContain('Starting from scratch')
  const objects = (await execa('find', [join(gitDir, 'objects'), '-type', 'f'])).stdout.split('\n')
  for (const object of objects) await execa('sh', ['-c', 'chmod u+w "$0"; echo broken > "$0"', object])
  expect(await prepare(workspace, server, second)).toContain('Starting from scratch')
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('two\n')
})

test('protected refs, other projects and concurrent jobs have separate workspaces', async () => {
  const { root, work } = await openWorkspace()
  const others = await Promise.all([
    openWorkspace(root, { isProtected: true }),
    openWorkspace(root, { projectId: 4 }),
    openWorkspace(root, { concurrentProjectId: 1 }),
  ])
  expect(new Set([work, ...others.map((other) => other.work)]).size).toBe(4)
  expect((await stat(root)).mode & 0o777).toBe(0o700)
})

test('a project path with parent directories is replaced', async () => {
  const { workspace } = await openWorkspace(undefined, { projectPath: '../../etc' })
  expect(workspace.projectDir).toBe('/builds/project-3')
})

test('temporary files are not written through links, and are deleted on close', async () => {
  const { workspace, temporary, root } = await openWorkspace()
  await workspace.writeTemporaryFile('first', '')
  const victim = join(root, 'victim')
  await writeFile(victim, 'untouched')
  await symlink(victim, join(temporary, 'script'))
  expect(await workspace.writeTemporaryFile('script', 'echo', 0o755)).toBe('/builds/group/project.tmp/script')
  expect(await readFile(victim, 'utf8')).toBe('untouched')
  expect(await readFile(join(temporary, 'script'), 'utf8')).toBe('echo')
  await expect(workspace.writeTemporaryFile('../x', '')).rejects.toThrow('is not a valid file name')
  await mkdir(join(temporary, 'locked'), { mode: 0o500 })
  await workspace.close()
  await workspace.close()
  // A volume goes with its container.
  if (areMounted()) await expect(stat(temporary)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('any files of a job with a real container are handled', async () => {
  const server = await startGitServer()
  const { workspace, work, mounts } = await openWorkspace()
  const sha = await server.commit('echo one > file')
  await prepare(workspace, server, sha)
  const bench = await openBench({ image: await busyboxImage(), networkMode: 'none' })
  const script =
    'cd /builds/group/project; mkdir -p a/b; touch a/b/c; chmod 000 a/b a; chown 1234 a; rm -r .git; ln -s / .git'
  await runScripts(bench, [script], { mounts: [...bench.place.mounts, ...mounts] })
  await prepare(workspace, server, sha)
  expect((await readdir(work)).sort()).toEqual(['.git', 'file'])
})
