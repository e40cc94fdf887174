import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { runGit } from '../../../src/git/run-git.js'
import { Sent } from '../../coordinator/http/at-once/bodies.js'
import { addScene } from '../../coordinator/http/at-once/scene.js'
import { World } from '../../coordinator/http/at-once/world.js'
import { addFiles } from '../../coordinator/http/fuzz/reads.js'
import { packArchive, projectFile } from '../../coordinator/support/project-archive.js'
import { openSqlite } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

// The coordinator reads repositories, archives and uploads by names that users give. None of them reads another file.

const SECRET = 'the text of a file beside the data'

async function open() {
  const world = await World.open(openSqlite)
  const scene = await addScene(world)
  await addFiles(world, scene)
  await writeFile(join(world.folder, 'host-file'), SECRET)
  const read = (path: string) => world.request('GET', `/api/v4${path}`, { 'private-token': scene.user.token })
  return { world, scene, read, P: `/projects/${scene.project}` }
}

const opened = openForFile(open)

const OUTSIDE = [
  '/etc/passwd',
  '../../../../../../../../etc/passwd',
  '..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc/passwd',
  '....//....//etc/passwd',
  'a.txt/../../../../../../../etc/passwd',
  '../host-file',
  '../../host-file',
  '../../../host-file',
  './HEAD',
  '../config',
  '--output=/tmp/x',
  ':/etc/passwd',
]

test('no path in an operation of a repository reads a file outside of it', async () => {
  const { scene, read, P } = opened()
  const finished = scene.finishedJob
  for (const path of OUTSIDE) {
    const encoded = encodeURIComponent(path)
    for (const address of [
      `${P}/repository/files/${encoded}?ref=main`,
      `${P}/repository/files/${encoded}/raw?ref=main`,
      `${P}/repository/files/${encoded}/blame?ref=main`,
      `${P}/repository/tree?path=${encoded}`,
      `${P}/repository/archive.tar?path=${encoded}`,
      `${P}/repository/commits?path=${encoded}`,
      `${P}/repository/blobs/${encoded}/raw`,
      `/projects/${finished?.project}/jobs/${finished?.id}/artifacts/${path}`,
      `/projects/${finished?.project}/jobs/${finished?.id}/artifacts/${encoded}`,
      `/projects/${finished?.project}/jobs/artifacts/main/raw/${encoded}?job=job`,
      `${P}/uploads/${'0'.repeat(32)}/${encoded}`,
      `${P}/secure_files/${encoded}/download`,
    ]) {
      const { statusCode, body } = await read(address)
      expect(body, address).not.toMatch(/root:.*:0:0:/)
      expect(body, address).not.toContain(SECRET)
      expect(body, address).not.toContain('[core]')
      expect(statusCode, address).toBeLessThan(500)
      // The list for a missing path is empty.
      expect(statusCode === 200 ? body : '[]', address).toBe('[]')
    }
  }
})

test('a symbolic link in a repository is read as its text, not as the file that it names', async () => {
  const { world, scene, read, P } = opened()
  const gitDir = await gitDirOf(world, scene.project)
  const git = async (args: string[], input = '') =>
    (await runGit(['--git-dir', gitDir, ...args], { input })).trim()
  const blob = await git(['hash-object', '-w', '--stdin'], '/etc/passwd')
  const tree = await git(['mktree'], `120000 blob ${blob}\t.gitlab-ci.yml\n120000 blob ${blob}\tlink\n`)
  const environment = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, 'a'],
      [`GIT_${role}_EMAIL`, 'a@example.com'],
    ]),
  )
  const commit = (await runGit(['--git-dir', gitDir, 'commit-tree', tree, '-m', 'x'], { environment })).trim()
  await git(['update-ref', 'refs/heads/linked', commit])
  const raw = await read(`${P}/repository/files/link/raw?ref=linked`)
  expect(raw.body).toBe('/etc/passwd')
  const archive = await read(`${P}/repository/archive.tar?sha=linked`)
  expect(archive.statusCode).toBe(200)
  expect(archive.body).not.toContain('root:')
  const below = await read(`${P}/repository/files/link%2Fpasswd/raw?ref=linked`)
  expect(below.statusCode).toBe(404)
  const pipeline = await world.call(scene.user, 'POST', `${P}/pipeline`, { ref: 'linked' })
  expect([pipeline.status, pipeline.body]).toEqual([400, expect.not.stringContaining('root:')])
})

test.each([
  '/../../../../../../etc/passwd',
  '../../../../etc/passwd',
  '/etc/passwd',
  '..\\..\\etc\\passwd',
  '../../host-file',
])('include:local of %s reads nothing outside of the repository', async (local) => {
  const { world, scene, P } = opened()
  const content = JSON.stringify({ include: [{ local }], a: { script: 'x' } })
  const told = await world.call(scene.user, 'POST', `${P}/ci/lint`, { content })
  const { valid, merged_yaml } = JSON.parse(told.body) as { valid: boolean; merged_yaml?: string }
  expect([told.status, valid]).toEqual([200, false])
  expect(merged_yaml ?? '').not.toMatch(/root:|beside the data/)
  expect(told.body).not.toContain(SECRET)
})

test.each([
  'file:///etc/passwd',
  '/etc',
  'ext::sh -c id',
  '--upload-pack=id',
  '-cprotocol.ext.allow=always',
  'ssh://-oProxyCommand=id/x',
  'fd::17',
  'https://a.example/\nfile:///etc',
])('the address %j is refused for an import and for a mirror', async (url) => {
  const { world, scene, P } = opened()
  const made = await world.call(scene.user, 'POST', '/projects', { name: 'copy', import_url: url })
  expect([made.status, made.body], made.body).toEqual([400, expect.stringContaining('import_url')])
  const mirror = await world.call(scene.user, 'POST', `${P}/remote_mirrors`, { url })
  expect([mirror.status, mirror.body], mirror.body).toEqual([400, expect.stringContaining('url')])
})

test('no revision is taken for an option of git', async () => {
  const { world, scene, read, P } = opened()
  const written = join(await tempDir(), 'written')
  for (const option of [
    `--output=${written}`,
    `-o${written}`,
    '--exec=id',
    '--upload-pack=id',
    '--no-index',
    '-',
  ]) {
    const name = encodeURIComponent(option)
    for (const path of [
      `${P}/repository/commits?ref_name=${name}`,
      `${P}/repository/commits/${name}`,
      `${P}/repository/commits/${name}/diff`,
      `${P}/repository/compare?from=${name}&to=main`,
      `${P}/repository/compare?from=main&to=${name}`,
      `${P}/repository/archive?sha=${name}`,
      `${P}/repository/tree?ref=${name}`,
      `${P}/repository/files/a.txt?ref=${name}`,
      `${P}/repository/merge_base?refs[]=${name}&refs[]=main`,
      `${P}/repository/branches/${name}`,
      `${P}/repository/tags/${name}`,
    ]) {
      const { statusCode } = await read(path)
      expect([400, 404], `${path}: ${statusCode}`).toContain(statusCode)
    }
    for (const [path, body] of [
      ['branches', { branch: 'x', ref: option }],
      ['branches', { branch: option, ref: 'main' }],
      ['tags', { tag_name: 'x', ref: option }],
      ['tags', { tag_name: option, ref: 'main' }],
    ] as const) {
      const { status } = await world.call(scene.user, 'POST', `${P}/repository/${path}`, body)
      expect([400, 404, 405], `${path} ${JSON.stringify(body)}: ${status}`).toContain(status)
    }
  }
  await expect(readdir(join(written, '..'))).resolves.toEqual([])
})

test('the key of a cache is no path', async () => {
  const { world, scene } = opened()
  const headers = { 'job-token': scene.job.token }
  const before = await readdir(world.folder)
  for (const key of ['../../host-file', '/etc/passwd', '..%2f..%2fhost-file', '..', 'a/../../../host-file']) {
    const address = `/api/v4/jobs/${scene.job.id}/cache?key=${encodeURIComponent(key)}`
    const missing = await world.request('GET', address, headers)
    expect([missing.statusCode, missing.body], key).toEqual([404, expect.not.stringContaining(SECRET)])
    const body = { ...headers, 'content-type': 'application/octet-stream' }
    const stored = await world.request('PUT', address, body, 'cached')
    expect(stored.statusCode, key).toBeLessThan(500)
  }
  expect(await readdir(world.folder)).toEqual(before)
})

test.each([
  ['a symbolic link', { type: 'symlink', linkname: '/etc/passwd' }],
  ['a hard link', { type: 'link', linkname: '/etc/passwd' }],
  ['a device', { type: 'character-device' }],
] as const)('an archive of a project with %s imports nothing', async (_, entry) => {
  const { world, scene } = opened()
  const archive = await packArchive([projectFile(), { name: 'repository.bundle', ...entry }])
  const form = new FormData()
  form.set('path', 'imported')
  form.set('file', new Blob([new Uint8Array(archive)]), 'project.tar.gz')
  const told = await world.call(scene.user, 'POST', '/projects/import', new Sent(form))
  expect(told.body).not.toMatch(/root:.*:0:0:/)
  const projects = await world.make<{ import_status: string; empty_repo: boolean }[]>(
    scene.user,
    'GET',
    '/projects?owned=true&search=imported',
  )
  for (const project of projects) expect(project).toMatchObject({ empty_repo: true })
})

async function gitDirOf({ folder }: World, project: number): Promise<string> {
  const names = await readdir(folder, { recursive: true })
  const name = names.find((each) => each.endsWith(`/${project}.git`))
  if (name === undefined) throw new Error(`Project ${project} has no repository`)
  return join(folder, name)
}
