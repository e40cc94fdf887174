import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { expect, test } from 'vitest'

import { tempDir } from '../../support/temp-dir.js'
import { startGitServer } from './git-server.js'
import { openWorkspace, prepare } from './workspaces.js'

/** What a job might leave behind so that git on the host runs something or writes elsewhere; `$T` is outside. */
const ATTACKS: [string, string][] = [
  [
    'hooks',
    'for h in post-checkout pre-auto-gc reference-transaction; do printf "#!/bin/sh\\ntouch $T/ran" > .git/hooks/$h; chmod +x .git/hooks/$h; done',
  ],
  [
    'a monitor in the configuration',
    'git config core.fsmonitor "touch $T/ran; false"; git config core.sshCommand "touch $T/ran"',
  ],
  [
    'a filter',
    'git config filter.x.smudge "touch $T/ran"; git config filter.x.clean "touch $T/ran"; echo "* filter=x" > .gitattributes; mkdir -p .git/info; cp .gitattributes .git/info/attributes; rm file',
  ],
  ['.git as a file', 'rm -rf .git; echo "gitdir: $T/evil" > .git'],
  ['.git as a link', 'rm -rf .git; ln -s $T/evil .git'],
  ['.git as a link to the runner’s files', 'rm -rf .git; ln -s $T .git'],
  ['a directory as a link', 'rm -rf dir; ln -s $T dir'],
  ['a file as a link', 'rm file; ln -s $T/victim file'],
  ['a broken index', 'echo broken > .git/index; touch .git/index.lock'],
  ['other alternates', 'echo $T/evil > .git/objects/info/alternates'],
  [
    'a repository inside',
    'mkdir inner; cd inner; git init -q; git config core.fsmonitor "touch $T/ran"; touch x; cd ..; mv inner dir/inner',
  ],
  [
    'a submodule with a monitor',
    'rm -rf sub; git init -q sub; cd sub; git config core.fsmonitor "touch $T/ran"; touch left',
  ],
  ['the parent of a submodule as a link', 'rm -rf libs; ln -s $T libs'],
  ['a worktree setting', 'git config core.worktree $T; git config core.bare false'],
  ['an assumed file', 'git update-index --assume-unchanged file; echo evil > file'],
]

test.each(ATTACKS)('%s does no harm to the next job or the host', async (_, attack) => {
  const outside = await tempDir()
  await execa(
    'sh',
    ['-ec', 'git init -q evil; git -C evil config core.fsmonitor "touch $T/ran"; echo untouched > victim'],
    {
      cwd: outside,
      env: { T: outside },
    },
  )
  const server = await startGitServer()
  const sha = await server.commit(
    'mkdir dir; echo one > file; echo two > dir/file; git update-index --add --cacheinfo 160000,$(printf "%040d" 1),sub; ' +
      'git update-index --add --cacheinfo 160000,$(printf "%040d" 2),libs/sub; mkdir -p sub libs/sub',
  )
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, sha)
  const before = (await readdir(outside)).sort()
  await execa('sh', ['-ec', `mkdir -p .git/hooks .git/objects/info; ${attack}`], {
    cwd: work,
    env: { T: outside },
  })

  await workspace.selectFiles({ paths: ['**'], exclude: [], untracked: true })
  await prepare(workspace, server, sha)

  expect((await readdir(outside)).sort()).toEqual(before)
  expect(await readFile(join(outside, 'victim'), 'utf8')).toBe('untouched\n')
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('one\n')
  expect((await lstat(join(work, 'file'))).isFile()).toBe(true)
  expect(await readdir(join(work, 'dir'))).toEqual(['file'])
  expect(await readdir(join(work, 'sub'))).toEqual([])
  expect(await readdir(join(work, 'libs/sub'))).toEqual([])
  expect(await readFile(join(work, '.git/HEAD'), 'utf8')).toBe(`${sha}\n`)
  expect(await readdir(join(work, '.git'))).not.toContain('hooks')
})

test('a file that was changed with its size and time kept is restored', async () => {
  const server = await startGitServer()
  const sha = await server.commit('echo one > file')
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, sha)
  await execa('sh', ['-ec', 'touch -r file time; printf "two\\n" > file; touch -r time file'], { cwd: work })
  await prepare(workspace, server, sha)
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('one\n')
})
