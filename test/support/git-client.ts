import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { launchProgram } from '../../src/git/launch-program.js'
import { runGit } from '../../src/git/run-git.js'
import { tempDir } from './temp-dir.js'

const CLIENT_ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  // As in git's own tests: nothing waits for the disk.
  GIT_TEST_FSYNC: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

export interface ClientResult {
  exitCode: number | undefined
  /** Both streams. */
  output: string
}

/** The real git client in `cwd`; never throws for its exit code. */
export async function git(cwd: string, ...args: string[]): Promise<ClientResult> {
  const program = {
    file: 'git',
    args,
    cwd,
    env: CLIENT_ENVIRONMENT,
    isGroup: false,
    maxOutputBytes: Infinity,
  }
  const { exitCode, stdout, stderr, failure } = await launchProgram(program).ended
  return { exitCode, output: [stdout, stderr, failure].join('').trimEnd() }
}

/** As `git`, for what must work; returns the output. */
export async function gitOk(cwd: string, ...args: string[]): Promise<string> {
  const { exitCode, output } = await git(cwd, ...args)
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${output}`)
  return output.trim()
}

/** A new work tree with one commit on `main`. */
export async function workTree(files: Record<string, string | Buffer> = { a: 'a' }): Promise<string> {
  const path = await tempDir()
  await gitOk(path, 'init', '--quiet', '--initial-branch=main')
  await commit(path, files)
  return path
}

/** Adds files and commits; returns the id. */
export async function commit(path: string, files: Record<string, string | Buffer>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await writeFile(join(path, name), content)
  }
  await gitOk(path, 'add', '--all')
  await gitOk(path, 'commit', '--quiet', '--allow-empty', '-m', Object.keys(files).join(' ') || 'empty')
  return headOf(path)
}

/** Puts so many empty commits on `main`, in one process. */
export async function addCommits(path: string, count: number): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000)
  const commits = Array.from({ length: count }, (_, index) => {
    const head = `commit refs/heads/main\ncommitter Ada <ada@example.com> ${seconds + index} +0000\n`
    const message = `empty ${index}`
    const from = index === 0 ? 'from refs/heads/main^0\n' : ''
    return `${head}data ${message.length}\n${message}\n${from}\n`
  })
  await runGit(['fast-import', '--quiet'], { cwd: path, input: commits.join('') })
}

/** The id of the commit that the branch of a work tree has just got: without a process, because hundreds of tests commit. */
async function headOf(path: string): Promise<string> {
  const head = await readFile(join(path, '.git/HEAD'), 'utf8')
  const ref = /^ref: (.+)/.exec(head)?.[1]
  return (ref ? await readFile(join(path, '.git', ref), 'utf8') : head).trim()
}
