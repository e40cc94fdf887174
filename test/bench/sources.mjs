import { join } from 'node:path'
import { Writable } from 'node:stream'

import { LargeRepository } from './large-repository.mjs'
import { runGit } from './plain-git.mjs'
import { call } from './project.mjs'
import { formatTime, median } from './table.mjs'
import { ADMIN_TOKEN } from './tokens.mjs'

/** The compiled modules; the types are those of their sources. */
const MODULES = '../../.switchyard/modules/runner'

const FILES = 50_000
const DEPTH = 20
const TURNS = 5

/**
 * Getting the sources of a job when one file of 50,000 has changed, against the same by hand in a clone: fetch, check
 * out, clean. Takes 6 GB of disk while it runs.
 * @param {import('./installation.mjs').Installation} installation
 */
export async function benchSources(installation) {
  const address = await createProject(installation.url)
  const folder = (/** @type {string} */ name) => join(installation.folder, name)
  const repository = await LargeRepository.create(folder('large.git'), address, FILES)
  const job = await openJob(folder('workspaces'), address)
  const clone = folder('clone')
  await runGit(['clone', '--quiet', `--depth=${DEPTH}`, address, clone])
  /** @type {[number[], number[]]} */
  const [ours, theirs] = [[], []]
  // The first change comes right after files were written: git looks at their content once more.
  for (let turn = 0; turn <= TURNS; turn++) {
    const sha = await repository.change()
    ours.push(await time(() => job.getSources(sha)))
    theirs.push(await time(() => update(clone, sha)))
  }
  const [sources, plain] = [median(ours.slice(1)), median(theirs.slice(1))]
  return [
    {
      name: 'sources of 1 GB, one file changed',
      ours: formatTime(sources),
      baseline: 'git by hand',
      theirs: formatTime(plain),
      ratio: sources / plain,
      target: 'under 1 s',
    },
  ]
}

/** @param {string} url */
async function createProject(url) {
  const project = await call(`${url}/api/v4/projects`, { name: 'large' })
  const address = new URL(`${url}/${String(project.path_with_namespace)}.git`)
  address.username = 'root'
  address.password = ADMIN_TOKEN
  return address.href
}

/**
 * @param {string} root
 * @param {string} address
 */
async function openJob(root, address) {
  const { JobLog } = /** @type {typeof import('../../src/runner/trace/job-log.js')} */ (
    await import(`${MODULES}/trace/job-log.js`)
  )
  const { createBindWorkspaceProvider } =
    /** @type {typeof import('../../src/runner/workspace/bind-workspace.js')} */ (
      await import(`${MODULES}/workspace/bind-workspace.js`)
    )
  const log = new JobLog(new Writable({ write: (_chunk, _encoding, done) => done() }))
  const workspace = await createBindWorkspaceProvider({ root }).open({
    projectId: 1,
    projectPath: 'root/large',
    concurrentProjectId: 0,
    isProtected: false,
  })
  /** @param {string} sha */
  const getSources = async (sha) => {
    const refspecs = ['+refs/heads/main:refs/remotes/origin/main']
    const git = { repo_url: address, ref: 'main', sha, refspecs, depth: DEPTH }
    const source = { git, strategy: /** @type {const} */ ('fetch'), userAgent: 'switchyard-bench' }
    await workspace.prepareSources(source, log, new AbortController().signal)
  }
  return { getSources }
}

/**
 * @param {string} clone
 * @param {string} sha
 */
async function update(clone, sha) {
  await runGit(['fetch', '--quiet', `--depth=${DEPTH}`, 'origin', 'main'], clone)
  await runGit(['checkout', '--quiet', '--force', '--detach', sha], clone)
  await runGit(['clean', '--quiet', '-ffdx'], clone)
}

/** @param {() => Promise<unknown>} work */
async function time(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}
