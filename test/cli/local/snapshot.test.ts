import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { execa } from 'execa'
import { expect, onTestFinished, test, vi } from 'vitest'

import { publishRefs, type Snapshot, takeSnapshot } from '../../../src/cli/working-directory/snapshot.js'
import { openWorkingDirectory } from '../../../src/cli/working-directory/working-directory.js'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

const ADA = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']

async function write(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

async function git(folder: string, ...args: string[]): Promise<string> {
  return (await execa('git', args, { cwd: folder })).stdout
}

async function repositoryWith(files: Record<string, string>): Promise<string> {
  const folder = await tempDir()
  await git(folder, 'init', '--quiet', '--initial-branch', 'main')
  await write(folder, files)
  await git(folder, 'add', '--all')
  await git(folder, ...ADA, 'commit', '--quiet', '--message', 'First\n\nFor a start.')
  return folder
}

async function snapshotOf(folder: string): Promise<Snapshot> {
  return takeSnapshot(await openWorkingDirectory(folder), await tempDir())
}

async function filesOf({ gitDir, commit }: Snapshot): Promise<Record<string, string>> {
  const names = await git(gitDir, 'ls-tree', '-r', '--name-only', commit.id)
  const contents = names
    .split('\n')
    .filter((name) => name !== '')
    .map(async (name) => [name, await git(gitDir, 'cat-file', 'blob', `${commit.id}:${name}`)] as const)
  return Object.fromEntries(await Promise.all(contents))
}

/** Every file below a folder, with a digest and the time it was changed; git marks objects that it meets as fresh. */
async function stateOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.sort().map(async (file) => {
      const digest = createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
      return `${file} ${digest} ${file.includes('/objects/') ? '' : (await stat(file)).mtimeMs}`
    }),
  )
}

test('a snapshot is the tree as git sees it, and the working directory is unchanged', async () => {
  const folder = await repositoryWith({
    '.gitignore': 'ignored\n',
    changed: 'before',
    'deleted/file': 'gone',
    staged: 'before',
    same: 'same',
  })
  await write(folder, { changed: 'after', 'new/file': 'new', ignored: 'secret', staged: 'after' })
  await git(folder, 'add', 'staged')
  await rm(join(folder, 'deleted'), { recursive: true })
  await symlink('same', join(folder, 'link'))
  const before = await stateOf(folder)
  const snapshot = await snapshotOf(folder)
  expect(await filesOf(snapshot)).toEqual({
    '.gitignore': 'ignored',
    changed: 'after',
    link: 'same',
    'new/file': 'new',
    same: 'same',
    staged: 'after',
  })
  expect(await stateOf(folder)).toEqual(before)
})

testAtNight('files ignored by the global git configuration are excluded', async () => {
  const folder = await repositoryWith({ file: 'content' })
  const head = await git(folder, 'rev-parse', 'HEAD')
  const home = await tempDir()
  vi.stubEnv('HOME', home)
  vi.stubEnv('XDG_CONFIG_HOME', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  await write(home, { '.config/git/ignore': '.idea\n', ignored: '*.swp\n' })
  await write(folder, { '.idea/settings': 'mine', 'file.swp': 'open' })
  expect(Object.keys(await filesOf(await snapshotOf(folder)))).toEqual(['file', 'file.swp'])
  await write(home, { '.gitconfig': '[core]\nexcludesFile = ~/ignored\n' })
  await rm(join(folder, '.idea'), { recursive: true })
  expect((await snapshotOf(folder)).commit.id).toBe(head)
})

testAtNight('its commit is a child of HEAD, with the same author and message', async () => {
  const folder = await repositoryWith({ file: 'before' })
  const head = await git(folder, 'rev-parse', 'HEAD')
  await write(folder, { file: 'after' })
  expect((await snapshotOf(folder)).commit).toMatchObject({
    parentIds: [head],
    title: 'First',
    message: 'First\n\nFor a start.\n',
    authorName: 'Ada',
    authorEmail: 'ada@example.com',
  })
})

testAtNight('a change in the same second and with the same size is detected', async () => {
  const folder = await repositoryWith({ file: 'before' })
  await write(folder, { file: 'edited' })
  expect(await filesOf(await snapshotOf(folder))).toEqual({ file: 'edited' })
})

test('without differences, it is the commit of HEAD', async () => {
  const folder = await repositoryWith({ file: 'content' })
  expect((await snapshotOf(folder)).commit.id).toBe(await git(folder, 'rev-parse', 'HEAD'))
})

test('a directory without commits or without a repository works', async () => {
  const fresh = await tempDir()
  await git(fresh, 'init', '--quiet')
  const plain = await tempDir()
  for (const folder of [fresh, plain]) {
    await write(folder, { file: 'content', '.gitignore': 'ignored', ignored: 'secret' })
    const snapshot = await snapshotOf(folder)
    expect(await filesOf(snapshot)).toEqual({ '.gitignore': 'ignored', file: 'content' })
    expect(snapshot.commit.parentIds).toEqual([])
  }
})

testAtNight('a linked work tree and a shallow clone work', async () => {
  const folder = await repositoryWith({ file: 'first' })
  await write(folder, { file: 'second' })
  await git(folder, ...ADA, 'commit', '--quiet', '--all', '--message', 'Second')
  const linked = join(await tempDir(), 'linked')
  await git(folder, 'worktree', 'add', '--quiet', linked)
  const shallow = join(await tempDir(), 'shallow')
  await execa('git', ['clone', '--quiet', '--depth', '1', `file://${folder}`, shallow])
  for (const place of [linked, shallow]) {
    await write(place, { file: 'third' })
    const snapshot = await snapshotOf(place)
    expect(await filesOf(snapshot)).toEqual({ file: 'third' })
    const copy = await tempDir()
    await publishRefs(snapshot, await openWorkingDirectory(place), ['refs/heads/main'])
    await execa('git', ['clone', '--quiet', '--branch', 'main', `file://${snapshot.gitDir}`, copy])
    expect(await readFile(join(copy, 'file'), 'utf8')).toBe('third')
  }
})

testAtNight('branches and tags are included, and the ref of the pipeline is the snapshot', async () => {
  const folder = await repositoryWith({ file: 'first' })
  await git(folder, 'branch', 'other')
  await git(folder, 'branch', 'topic/deep')
  await git(folder, 'tag', 'v1')
  await write(folder, { file: 'second' })
  const snapshot = await snapshotOf(folder)
  await publishRefs(snapshot, await openWorkingDirectory(folder), ['refs/heads/main', 'refs/heads/topic'])
  const refs = await git(snapshot.gitDir, 'for-each-ref', '--format=%(refname) %(objectname)')
  const first = await git(folder, 'rev-parse', 'HEAD')
  expect(refs.split('\n')).toEqual([
    `refs/heads/main ${snapshot.commit.id}`,
    `refs/heads/other ${first}`,
    `refs/heads/topic ${snapshot.commit.id}`,
    `refs/tags/v1 ${first}`,
  ])
})
