import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { relativePattern } from '../../../src/runner/workspace/select-files.js'
import { tempDir } from '../../support/temp-dir.js'
import { NEVER } from '../executor/docker-jobs.js'
import { startGitServer } from './git-server.js'
import { openWorkspace, prepare } from './workspaces.js'

const TREE = [
  'mkdir -p dist/sub deep/a/b empty .hidden',
  'touch dist/a.js dist/b.css dist/sub/c.js deep/a/x.log deep/a/b/y.log .hidden/file top.txt "with space" größe',
  'ln -s dist linked; ln -s /etc etc; ln -s missing dangling; mkfifo pipe; touch "back\\\\slash"',
].join('; ')

test.each<[string[], string[], string[], (number | string)[]]>([
  [['dist/'], [], ['dist/', 'dist/a.js', 'dist/b.css', 'dist/sub/', 'dist/sub/c.js'], [5]],
  [['dist'], [], ['dist/', 'dist/a.js', 'dist/b.css', 'dist/sub/', 'dist/sub/c.js'], [5]],
  [['dist/*.js'], [], ['dist/a.js'], [1]],
  [['dist/**/*.js'], [], ['dist/a.js', 'dist/sub/c.js'], [2]],
  [['**/*.log'], [], ['deep/a/b/y.log', 'deep/a/x.log'], [2]],
  [['deep/**'], [], ['deep/', 'deep/a/', 'deep/a/b/', 'deep/a/b/y.log', 'deep/a/x.log'], [5]],
  [['deep/**'], ['**/*.log'], ['deep/', 'deep/a/', 'deep/a/b/'], [3]],
  [['dist'], ['dist/sub/**'], ['dist/', 'dist/a.js', 'dist/b.css'], [3]],
  [['{top,dist/a}.*'], [], ['dist/a.js', 'top.txt'], [2]],
  [['linked', 'etc', 'dangling'], [], ['dangling', 'etc', 'linked'], [1, 1, 1]],
  [['linked/*', 'etc/passwd', 'linked/**'], [], [], [0, 0, 0]],
  [
    ['.hidden/*', 'empty/', 'with space', 'gr*'],
    [],
    ['.hidden/file', 'empty/', 'größe', 'with space'],
    [1, 1, 1, 1],
  ],
  [['/builds/group/project/top.txt', './dist/../top.txt'], [], ['top.txt'], [1, 1]],
  [['missing', 'missing/**', 'top.txt/x'], [], [], [0, 0, 0]],
  [['top.txt', 'top.*'], [], ['top.txt'], [1, 1]],
])('%j without %j are %j', async (paths, exclude, names, counts) => {
  const { workspace, work } = await openWorkspace()
  await execa('sh', ['-ec', TREE], { cwd: work })
  const selected = await workspace.selectFiles({ paths, exclude, untracked: false }, NEVER)
  expect(selected.names).toEqual(names)
  expect(selected.matches.map((match) => match.count)).toEqual(counts)
  expect(selected.refused).toEqual([])
})

test('patterns that lead outside are rejected', async () => {
  const { workspace } = await openWorkspace()
  const paths = [
    '../x',
    '/etc/passwd',
    'a/../../x',
    '/builds/group/project-other/x',
    '/builds/group/project/../x',
  ]
  expect(await workspace.selectFiles({ paths, exclude: [], untracked: false }, NEVER)).toMatchObject({
    names: [],
    refused: paths,
  })
})

test('names that an archive cannot contain are skipped', async () => {
  const { workspace, work } = await openWorkspace()
  await execa('sh', ['-ec', TREE], { cwd: work })
  const { names, skipped } = await workspace.selectFiles(
    { paths: ['.'], exclude: [], untracked: false },
    NEVER,
  )
  expect(skipped).toEqual(['back\\slash', 'pipe'])
  expect(names).toContain('dist/sub/c.js')
  expect(names).not.toContain('pipe')
})

test('untracked files are those that are not in the commit', async () => {
  const server = await startGitServer()
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, await server.commit('echo "*.log" > .gitignore; echo one > file'))
  await execa(
    'sh',
    ['-ec', 'touch new ignored.log; echo changed > file; mkdir d; touch d/e; git init -q repo; touch repo/f'],
    { cwd: work },
  )
  const selected = await workspace.selectFiles(
    { paths: ['missing'], exclude: ['repo/.git/**', 'repo/.git'], untracked: true },
    NEVER,
  )
  expect(selected.names).toEqual(['d/e', 'ignored.log', 'new', 'repo/', 'repo/f'])
  expect(selected.matches).toEqual([
    { pattern: 'missing', count: 0 },
    { pattern: 'untracked', count: 5 },
  ])
})

test('files selected in one workspace are extracted in another', async () => {
  const { workspace, work } = await openWorkspace()
  await execa(
    'sh',
    ['-ec', 'mkdir -p dist/sub; echo hello > dist/sub/file; ln -s sub dist/link; chmod 750 dist/sub/file'],
    { cwd: work },
  )
  const selected = await workspace.selectFiles({ paths: ['dist'], exclude: [], untracked: false }, NEVER)
  const zipFile = join(await tempDir(), 'artifacts.zip')
  await pipeline(workspace.zip(selected, 'default', NEVER), createWriteStream(zipFile))
  const other = await openWorkspace()
  expect(await other.workspace.extractZip(zipFile, NEVER)).toEqual({ entries: 4, refused: [] })
  const { stdout } = await execa('find', ['.', '-printf', '%P %M %l\\n'], { cwd: other.work })
  expect(stdout.split('\n').filter(Boolean).sort()).toEqual([
    ' drwxr-xr-x ',
    'dist drwxr-xr-x ',
    'dist/link lrwxrwxrwx sub',
    'dist/sub drwxr-xr-x ',
    'dist/sub/file -rwxr-x--- ',
  ])
})

test.each([
  ['a//b/', 'a/b'],
  ['.', '**'],
  ['/p', '**'],
  ['/p/x', 'x'],
  ['/px', undefined],
  ['a/*/../b', 'a/b'],
  ['..', undefined],
])('the pattern %j below /p is %j', (pattern, expected) => {
  expect(relativePattern(pattern, '/p')).toBe(expected)
})
