import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { expect, test, vi } from 'vitest'

import { openForFile } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { type GitServer, startGitServer } from './git-server.js'
import { pointerTo } from './lfs-store.js'
import { openWorkspace, prepare } from './workspaces.js'

const PLAIN = 'the file itself\n'

const served = openForFile(() => startGitServer())

async function commitFile(server: GitServer, pointer: string, more = 'true'): Promise<string> {
  await writeFile(join(server.work, 'big.bin'), pointer)
  return await server.commit(
    `rm -f .lfsconfig; echo '*.bin filter=lfs diff=lfs merge=lfs -text' > .gitattributes; ${more}`,
  )
}

test('Git LFS files replace their pointers and are downloaded once', async () => {
  const server = served()
  const sha = await commitFile(server, server.lfs.add(PLAIN))
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, sha)
  expect(await readFile(join(work, 'big.bin'), 'utf8')).toBe(PLAIN)
  const { length } = server.lfs.requests
  await prepare(workspace, server, sha)
  await writeFile(join(work, 'big.bin'), 'changed by the job')
  await prepare(workspace, server, sha)
  expect(await readFile(join(work, 'big.bin'), 'utf8')).toBe(PLAIN)
  expect(server.lfs.requests).toHaveLength(length)
})

test('a job without smudging gets pointers, and the next one with smudging gets the files', async () => {
  const server = served()
  const sha = await commitFile(server, server.lfs.add(PLAIN))
  const { workspace, work } = await openWorkspace()
  const { length } = server.lfs.requests
  await prepare(workspace, server, sha, { settings: { isLfsWanted: false } })
  expect(await readFile(join(work, 'big.bin'), 'utf8')).toBe(pointerTo(PLAIN))
  expect(server.lfs.requests).toHaveLength(length)
  await prepare(workspace, server, sha)
  expect(await readFile(join(work, 'big.bin'), 'utf8')).toBe(PLAIN)
})

test('a commit cannot redirect LFS downloads, and the token, to another server', async () => {
  const server = served()
  const other = await startGitServer('sha1', { isPublic: true })
  other.lfs.add('from elsewhere\n')
  const { origin } = new URL(other.repoUrl)
  const lfsconfig = `git config -f .lfsconfig lfs.url ${origin}/group/project.git/info/lfs; git config -f .lfsconfig remote.origin.lfsurl ${origin}/x`
  const sha = await commitFile(server, server.lfs.add(PLAIN), lfsconfig)
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, sha)
  expect(await readFile(join(work, 'big.bin'), 'utf8')).toBe(PLAIN)
  expect(other.lfs.requests).toEqual([])
  expect([...other.authorizations]).toEqual([])
})

test('changes of a job to .lfsconfig do not affect the next job', async () => {
  const server = served()
  const sha = await commitFile(server, server.lfs.add(PLAIN))
  const next = await commitFile(server, server.lfs.add('the second\n'))
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, sha)
  await execa('git', ['config', '-f', '.lfsconfig', 'lfs.fetchexclude', '*'], { cwd: work })
  await prepare(workspace, server, next)
  expect(await readFile(join(work, 'big.bin'), 'utf8')).toBe('the second\n')
})

test('a missing LFS file fails the job with its name, and other files are kept', async () => {
  const server = served()
  const first = await commitFile(server, server.lfs.add(PLAIN))
  const second = await commitFile(server, pointerTo('nowhere'))
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, first)
  await expect(prepare(workspace, server, second)).rejects.toThrow(/big\.bin/)
  const log = await prepare(workspace, server, first)
  expect(log).not.toContain('Created fresh repository')
  expect(await readFile(join(work, 'big.bin'), 'utf8')).toBe(PLAIN)
})

test('the token is in no file, also after a failed download', async () => {
  const server = served()
  const sha = await commitFile(server, pointerTo('nowhere'))
  const { workspace, root } = await openWorkspace()
  await expect(prepare(workspace, server, sha)).rejects.toThrow()
  const encoded = Buffer.from(`gitlab-ci-token:${server.token}`).toString('base64')
  const found = await execa('grep', ['-rlF', '-e', server.token, '-e', encoded, root], { reject: false })
  expect(found.stdout).toBe('')
})

test('without git-lfs the log explains the pointers', async () => {
  const server = served()
  const sha = await commitFile(server, server.lfs.add(PLAIN))
  const programs = await tempDir()
  for (const name of ['git', 'find', 'chown', 'chmod', 'rm']) {
    const { stdout } = await execa('which', [name])
    await symlink(stdout, join(programs, name))
  }
  const { workspace, work } = await openWorkspace()
  vi.stubEnv('PATH', programs)
  try {
    const log = await prepare(workspace, server, sha)
    expect(log).toContain('git-lfs is not installed on this runner')
    const quiet = await prepare(workspace, server, sha, { settings: { isLfsWanted: false } })
    expect(quiet).not.toContain('git-lfs')
  } finally {
    vi.unstubAllEnvs()
  }
  expect(await readFile(join(work, 'big.bin'), 'utf8')).toBe(pointerTo(PLAIN))
})
