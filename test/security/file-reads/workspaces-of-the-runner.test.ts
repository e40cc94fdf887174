import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { appendFile, cp, lstat, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'

import { UnsafeArchiveError } from '../../../src/archive/errors.js'
import { NEVER } from '../../runner/executor/docker-jobs.js'
import { startGitServer } from '../../runner/workspace/git-server.js'
import { areMounted, openWorkspace, prepare } from '../../runner/workspace/workspaces.js'
import { openForFile } from '../../support/lifetime.js'
import { sampled } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

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
  ['.git as a pipe', 'rm -rf .git; mkfifo .git'],
  ['.git as a sparse file of 15 TB', 'rm -rf .git; truncate -s 15T .git'],
  ['pipes in .git', 'rm -f .git/HEAD .git/config .git/index; mkfifo .git/HEAD .git/config .git/index'],
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
  [
    'a text conversion',
    'git config diff.x.textconv "touch $T/ran"; git config diff.x.command "touch $T/ran"; mkdir -p .git/info; echo "* diff=x" | tee .git/info/attributes > .gitattributes',
  ],
  ['attributes in a directory', 'printf "* text eol=crlf\\n" > dir/.gitattributes; rm dir/file'],
  [
    'attributes in the place of others',
    'mkdir .gitattributes; ln -s $T/victim dir/.gitattributes; rm dir/file',
  ],
  [
    'a configuration for the work tree',
    'git config extensions.worktreeConfig true; echo "[core] fsmonitor = touch $T/ran" > .git/config.worktree',
  ],
  [
    'an address of another protocol',
    'git config remote.origin.url "ext::touch $T/ran"; git config url."ext::touch $T/ran".insteadOf http',
  ],
  [
    'a credential helper',
    'git config credential.helper "!touch $T/ran"; git config core.askPass "touch $T/ran"',
  ],
  ['a packed object directory as a link', 'rm -rf .git/objects; ln -s $T .git/objects'],
  [
    'modules of its own',
    'mkdir -p .git/modules; ln -s $T .git/modules/sub; echo "gitdir: ../.git/modules/sub" > sub/.git',
  ],
  ['names that look like options', 'mkdir -- --help; touch -- -rf "--upload-pack=touch ran" ":(exclude)x"'],
  ['deep directories nobody may enter', 'mkdir -p a/b/c/d; touch a/b/c/d/e; chmod 0 a/b/c/d a/b/c a/b a'],
  ['special files', 'mkfifo pipe; mknod null c 1 3; rm file; mkfifo file'],
  ['an assumed file', 'git update-index --assume-unchanged file; echo evil > file'],
]

const attacked = openForFile(async () => {
  const server = await startGitServer()
  const sha = await server.commit(
    'mkdir dir; echo one > file; echo two > dir/file; git update-index --add --cacheinfo 160000,$(printf "%040d" 1),sub; ' +
      'git update-index --add --cacheinfo 160000,$(printf "%040d" 2),libs/sub; mkdir -p sub libs/sub',
  )
  const evil = await tempDir()
  await execa('git', ['init', '-q', '--template=', evil])
  return { server, sha, evil }
})

test.each(sampled(ATTACKS, 3))('%s does no harm to the next job or the host', async (_, attack) => {
  const outside = await tempDir()
  const { server, sha, evil } = attacked()
  await cp(evil, join(outside, 'evil'), { recursive: true })
  await appendFile(join(outside, 'evil/.git/config'), `[core]\n\tfsmonitor = "touch ${outside}/ran"\n`)
  await writeFile(join(outside, 'victim'), 'untouched\n')
  const { workspace, work, root } = await openWorkspace()
  await prepare(workspace, server, sha)
  const before = (await readdir(outside)).sort()
  await execa('sh', ['-ec', `mkdir -p .git/hooks .git/objects/info; ${attack}`], {
    cwd: work,
    env: { T: outside },
  })

  const selecting = workspace.selectFiles({ paths: ['**'], exclude: [], untracked: true }, NEVER)
  // The engine sends whole folders, so that a file that is too large ends the collection of artifacts from volumes.
  if (attack.includes('15T') && !areMounted()) await expect(selecting).rejects.toThrow(UnsafeArchiveError)
  else await selecting
  await prepare(workspace, server, sha)

  expect((await readdir(outside)).sort()).toEqual(before)
  expect(await readFile(join(outside, 'victim'), 'utf8')).toBe('untouched\n')
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('one\n')
  expect((await lstat(join(work, 'file'))).isFile()).toBe(true)
  expect(await readdir(join(work, 'dir'))).toEqual(['file'])
  expect(await readFile(join(work, 'dir/file'), 'utf8')).toBe('two\n')
  expect(await readdir(join(work, 'sub'))).toEqual([])
  expect(await readdir(join(work, 'libs/sub'))).toEqual([])
  expect(await readFile(join(work, '.git/HEAD'), 'utf8')).toBe(`${sha}\n`)
  expect(await readdir(join(work, '.git'))).not.toContain('hooks')
  const other = await openWorkspace(root, { projectId: 4 })
  await prepare(other.workspace, server, sha)
  expect(await readFile(join(other.work, 'file'), 'utf8')).toBe('one\n')
})

test('new files are not written through a link in the place of their directory', async () => {
  const outside = await tempDir()
  const server = await startGitServer()
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, await server.commit('mkdir -p dir/sub; echo one > dir/sub/file'))
  await execa('sh', ['-ec', 'rm -rf dir; ln -s $T dir; ln -s $T fresh'], { cwd: work, env: { T: outside } })
  const script = 'echo two > dir/sub/new; echo three > dir/new; mkdir fresh; echo four > fresh/file'
  await prepare(workspace, server, await server.commit(script))
  expect(await readdir(outside)).toEqual([])
  expect((await readdir(join(work, 'dir'))).sort()).toEqual(['new', 'sub'])
  expect(await readFile(join(work, 'fresh/file'), 'utf8')).toBe('four\n')
})

/** Only root, on some file systems, can make files immutable; then a privileged job can as well. */
function canMakeImmutable(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-immutable-'))
  try {
    execFileSync('chattr', ['+i', folder], { stdio: 'ignore' })
    execFileSync('chattr', ['-i', folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// No other job ever sees a volume.
const IMMUTABLE: [string, string][] = [
  ['a changed file', 'echo evil > file; chattr +i file'],
  ['a file as it was', 'chattr +i file'],
  ['a directory', 'touch dir/left; chattr +i dir'],
  ['a directory that only grows', 'touch dir/left; chattr +a dir; chattr +a file'],
  ['a file of its own', 'touch left; chattr +i left'],
  ['the whole work tree', 'chattr -R +i .'],
  ['its repository', 'touch .git/left; chattr -R +i .git'],
]

const changed = openForFile(async () => {
  const server = await startGitServer()
  const first = await server.commit('mkdir dir; echo one > file; echo two > dir/file')
  return { server, first, second: await server.commit('echo three > dir/new') }
})

test.runIf(areMounted() && canMakeImmutable()).each(sampled(IMMUTABLE, 1))(
  '%s that was made immutable is no trouble for the next job',
  async (_, attack) => {
    const { server, first, second } = changed()
    const { workspace, work } = await openWorkspace(undefined, { owner: { uid: 1000, gid: 1000 } })
    onTestFinished(() => execa('chattr', ['-R', '-f', '-ia', work], { reject: false }).then(() => undefined))
    await prepare(workspace, server, first)
    await execa('sh', ['-ec', attack], { cwd: work })
    await prepare(workspace, server, second)
    expect((await readdir(work)).sort()).toEqual(['.git', 'dir', 'file'])
    expect((await readdir(join(work, 'dir'))).sort()).toEqual(['file', 'new'])
    await execa('sh', ['-ec', 'echo changed > file; echo changed > dir/file; rm -r dir .git'], { cwd: work })
    await prepare(workspace, server, second)
    expect(await readFile(join(work, 'file'), 'utf8')).toBe('one\n')
  },
)

test('a file that was changed with its size and time kept is restored', async () => {
  const { server, first: sha } = changed()
  const { workspace, work } = await openWorkspace()
  await prepare(workspace, server, sha)
  await execa('sh', ['-ec', 'touch -r file time; printf "two\\n" > file; touch -r time file'], { cwd: work })
  await prepare(workspace, server, sha)
  expect(await readFile(join(work, 'file'), 'utf8')).toBe('one\n')
})
