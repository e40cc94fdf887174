import { chmod, chown, lstat, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { describe, expect, test } from 'vitest'

import { workspaceLayout } from '../../../src/runner/workspace/layout.js'
import { gitImage } from '../../support/docker-image.js'
import { NEVER, openBench, runScripts } from '../executor/docker-jobs.js'
import { startGitServer } from './git-server.js'
import { openWorkspace, prepare } from './workspaces.js'

const OWNER = { uid: 1000, gid: 1000 }

describe.runIf(process.getuid?.() === 0)('runner as root', () => {
  test('a job with another user owns its files, and git accepts them', async () => {
    const server = await startGitServer()
    const sha = await server.commit('mkdir dir; echo one > dir/file; echo x > run; chmod 755 run')
    const { workspace } = await openWorkspace(undefined, { owner: OWNER })
    await prepare(workspace, server, sha)
    await workspace.writeTemporaryFile('KEY', 'secret', 0o600)
    const bench = await openBench({ image: await gitImage(), networkMode: 'none', user: '1000:1000' })
    const script = [
      'export PATH=/usr/bin:/bin HOME=/tmp; set -e; cd /builds/group/project; id -u',
      'echo two > dir/file; mkdir new; rm run; cat ../project.tmp/KEY; echo',
      'echo A=1 >> ../project.tmp/gitlab_runner_env',
      'git add -A; git -c user.name=a -c user.email=a commit -qm two; git status --porcelain; git log --format=%s',
    ].join('\n')
    const { text, exitCodes } = await runScripts(bench, [script], {
      mounts: [...bench.place.mounts, ...workspace.mounts],
      environment: workspace.environment,
    })
    expect(text).toContain('1000\nsecret\ntwo\nchange\n')
    expect(exitCodes).toEqual([0])
  })

  test('others cannot write files, and only the user of the job can read file variables', async () => {
    const server = await startGitServer()
    const sha = await server.commit('mkdir dir; echo one > dir/file')
    const { workspace, root, work, temporary } = await openWorkspace(undefined, { owner: OWNER })
    await prepare(workspace, server, sha)
    await workspace.writeTemporaryFile('KEY', 'secret', 0o600)
    const open = await execa('find', [work, temporary, '!', '-type', 'l', '-perm', '/022'])
    expect(open.stdout).toBe('')
    const foreign = await execa('find', [work, temporary, '!', '-uid', '1000'])
    expect(foreign.stdout).toBe('')
    expect((await stat(join(temporary, 'KEY'))).mode & 0o777).toBe(0o600)
    expect((await stat(root)).mode & 0o777).toBe(0o700)
  })

  test('files owned by others are reset, and others lose write permission', async () => {
    const server = await startGitServer()
    const sha = await server.commit('mkdir dir; echo one > dir/file; echo two > file')
    const { workspace, work } = await openWorkspace(undefined, { owner: OWNER })
    await prepare(workspace, server, sha)
    await chown(join(work, 'dir/file'), 0, 0)
    await chown(join(work, 'dir'), 0, 1234)
    await chmod(join(work, 'dir'), 0o500)
    await chmod(join(work, 'file'), 0o6777)
    await mkdir(join(work, 'left'), { mode: 0o700 })
    await prepare(workspace, server, sha)
    for (const name of ['dir', 'dir/file', 'file', '.git', '.git/index']) {
      const { uid, gid, mode } = await lstat(join(work, name))
      expect([name, uid, gid, mode & 0o6022]).toEqual([name, 1000, 1000, 0])
    }
    expect((await stat(join(work, 'dir'))).mode & 0o700).toBe(0o700)
  })

  test('extracted artifacts belong to the user of the job', async () => {
    const { workspace, work } = await openWorkspace(undefined, { owner: OWNER })
    const other = await openWorkspace()
    await writeFile(join(other.work, 'artifact'), 'content')
    const zip = join(other.temporary, 'artifacts.zip')
    const files = await other.workspace.selectFiles(
      { paths: ['artifact'], exclude: [], untracked: false },
      NEVER,
    )
    await writeFile(zip, other.workspace.zip(files, 'fast', NEVER))
    await workspace.extractZip(zip, NEVER)
    expect((await stat(join(work, 'artifact'))).uid).toBe(1000)
  })

  test('git recognizes the files after a change of owner', async () => {
    const server = await startGitServer()
    const sha = await server.commit('echo one > file')
    const { workspace, work, gitDir } = await openWorkspace(undefined, { owner: OWNER })
    await prepare(workspace, server, sha)
    const { ctimeMs } = await stat(join(work, 'file'))
    const args = [`--git-dir=${gitDir}`, `--work-tree=${work}`, 'diff-files', '--name-only']
    expect((await execa('git', args)).stdout).toBe('')
    await prepare(workspace, server, sha)
    expect((await stat(join(work, 'file'))).ctimeMs).toBe(ctimeMs)
  })

  test('files of a job with an unknown user are readable by all users of its image', async () => {
    const { workspace, temporary } = await openWorkspace()
    await workspace.writeTemporaryFile('KEY', 'secret', 0o600)
    expect((await stat(join(temporary, 'KEY'))).mode & 0o777).toBe(0o644)
    expect(await readFile(join(temporary, 'KEY'), 'utf8')).toBe('secret')
  })
})

const REQUEST = { projectId: 3, projectPath: 'group/project', concurrentProjectId: 0, isProtected: false }

test('jobs of different users have separate workspaces if the owner of files can be changed', () => {
  const home = (owner: { uid: number; gid: number } | undefined, ownUser: number) =>
    workspaceLayout('/data', { ...REQUEST, ...(owner ? { owner } : {}) }, ownUser).home
  expect(home(undefined, 0)).toBe('/data/0/3')
  expect(home({ uid: 0, gid: 0 }, 0)).toBe('/data/0/3')
  expect(home({ uid: 0, gid: 5 }, 0)).toBe('/data/0/3-0-5')
  expect(home(OWNER, 0)).toBe('/data/0/3-1000-1000')
  expect(home(OWNER, 501)).toBe('/data/0/3')
  expect(workspaceLayout('/data', { ...REQUEST, owner: OWNER }, 501).owner).toBeUndefined()
})

test('jobs with an empty directory do not empty that of other jobs', () => {
  const layout = workspaceLayout('/data', { ...REQUEST, isEmpty: true, buildsDir: '/ci' })
  expect(layout.home).toBe('/data/0/3-empty')
  expect(layout.projectDir).toBe('/ci/group/project-empty')
})
