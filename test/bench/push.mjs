import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

import { runGit } from './plain-git.mjs'
import { call } from './project.mjs'
import { formatTime, median } from './table.mjs'
import { ADMIN_TOKEN } from './tokens.mjs'

const FILES = 2000
const COMMITS = 1000
const TURNS = 20

/** An address that belongs to the user who pushes. */
const EMAIL = 'root@localhost'

/** Every rule that looks at commits, none of which they break. */
const RULE = {
  commit_message_regex: '^Change \\d+',
  commit_message_negative_regex: 'WIP|secret',
  author_email_regex: '@localhost$',
  file_name_regex: '\\.(exe|jar)$',
  max_file_size: 10,
  member_check: true,
  prevent_secrets: true,
  commit_committer_check: true,
  reject_unsigned_commits: true,
}

/**
 * A push of 1,000 commits to a project with every push rule, against the same push to one without.
 * @param {Pick<import('./installation.mjs').Installation, 'url' | 'folder'>} installation
 */
export async function benchPush({ url, folder }) {
  const repository = join(folder, 'push.git')
  await createRepository(repository)
  /** @type {[number[], number[]]} */
  const [ours, theirs] = [[], []]
  const push = {
    plain: async (/** @type {number} */ turn) =>
      theirs.push(await timePush(url, repository, `plain-${turn}`)),
    ruled: async (/** @type {number} */ turn) =>
      ours.push(await timePush(url, repository, `ruled-${turn}`, RULE)),
  }
  for (let turn = 0; turn <= TURNS; turn++) {
    // Each is the first one in half of the turns.
    const order = turn % 2 === 0 ? [push.plain, push.ruled] : [push.ruled, push.plain]
    for (const next of order) await next(turn)
  }
  const [ruled, plain] = [median(ours.slice(1)), median(theirs.slice(1))]
  return [
    {
      name: 'a push of 1,000 commits, every push rule',
      ours: formatTime(ruled),
      baseline: 'the same without push rules',
      theirs: formatTime(plain),
      ratio: ruled / plain,
      target: 'at most 1.1',
    },
  ]
}

/**
 * Milliseconds of a push to a new project that has the first commit.
 * @param {string} url
 * @param {string} repository
 * @param {string} name of the project
 * @param {object} [rule]
 */
async function timePush(url, repository, name, rule) {
  const project = await call(`${url}/api/v4/projects`, { name })
  const address = new URL(`${url}/${String(project.path_with_namespace)}.git`)
  address.username = 'root'
  address.password = ADMIN_TOKEN
  const push = ['push', '--quiet', '--push-option=ci.skip', address.href]
  await runGit([...push, 'first:refs/heads/main'], repository)
  if (rule) await call(`${url}/api/v4/projects/${String(project.id)}/push_rule`, rule)
  const start = performance.now()
  await runGit([...push, 'signed:refs/heads/topic'], repository)
  return performance.now() - start
}

/** A repository with a commit of many files, and behind it many signed ones, each of which changes two and adds one.
 * @param {string} folder
 */
async function createRepository(folder) {
  await runGit(['init', '--quiet', '--bare', '--initial-branch=main', folder])
  await importCommits(folder)
  const log = await runGit(['log', '--reverse', '--format=%H %T', 'main'], folder)
  const [first = [], ...commits] = log.split('\n').map((line) => line.split(' '))
  let parent = first[0] ?? ''
  for (const [number, [, tree = '']] of commits.entries())
    parent = await writeSigned(folder, { tree, parent, number })
  await runGit(['update-ref', 'refs/heads/first', first[0] ?? ''], folder)
  await runGit(['update-ref', 'refs/heads/signed', parent], folder)
  await runGit(['update-ref', '-d', 'refs/heads/main'], folder)
  await runGit(['repack', '--quiet', '-a', '-d'], folder)
}

/** @param {string} folder */
async function importCommits(folder) {
  const child = spawn('git', ['fast-import', '--quiet'], {
    cwd: folder,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const closed = once(child, 'close')
  for (let commit = 0; commit <= COMMITS; commit++) {
    child.stdin.write(`commit refs/heads/main\ncommitter Bench <${EMAIL}> ${commit} +0000\ndata 0\n`)
    const [one, other] = [commit % FILES, (commit * 7) % FILES]
    const numbers = commit === 0 ? Array.from({ length: FILES }, (_, n) => n) : [one, other, FILES + commit]
    for (const number of numbers) {
      const content = `file ${number} of commit ${commit}\n`.repeat(40)
      child.stdin.write(
        `M 100644 inline src/${number % 40}/${number}.txt\ndata ${content.length}\n${content}\n`,
      )
    }
  }
  child.stdin.end()
  const [code] = /** @type {[number | null]} */ (await closed)
  if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`)
}

/**
 * Writes a commit with the header of a signature, which git cannot make without a key.
 * @param {string} folder
 * @param {{ tree: string, parent: string, number: number }} commit
 * @returns {Promise<string>} its ID
 */
async function writeSigned(folder, { tree, parent, number }) {
  const person = `Bench <${EMAIL}> ${number} +0000`
  const signature = `-----BEGIN PGP SIGNATURE-----\n \n ${'QmVuY2htYXJr'.repeat(5)}\n -----END PGP SIGNATURE-----`
  const headers = [`tree ${tree}`, `parent ${parent}`, `author ${person}`, `committer ${person}`]
  const text = `${headers.join('\n')}\ngpgsig ${signature}\n\nChange ${number}\n`
  const object = Buffer.from(`commit ${text.length}\0${text}`)
  const id = createHash('sha1').update(object).digest('hex')
  const place = join(folder, 'objects', id.slice(0, 2))
  await mkdir(place, { recursive: true })
  await writeFile(join(place, id.slice(2)), deflateSync(object))
  return id
}
