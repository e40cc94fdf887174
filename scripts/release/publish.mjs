import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { CommandError } from '../setup/run.mjs'
import { changesOf } from './changelog.mjs'
import { outputOf } from './output-of.mjs'
import { FILES } from './plan.mjs'
import { tagOf } from './version.mjs'

/** @typedef {import('./plan.mjs').Plan} Plan */

/**
 * Commits a version, packs it, and tags it at the end. If a step fails or `signal` is aborted, the clone is as it was.
 * @param {string} folder the clone
 * @param {Plan} plan
 * @param {() => Promise<void>} pack packs the last commit
 * @param {AbortSignal} signal
 */
export async function publish(folder, plan, pack, signal) {
  try {
    for (const step of [commitVersion, pack, tagVersion]) {
      await step(folder, plan)
      signal.throwIfAborted()
    }
  } catch (error) {
    await undo(folder, plan, error)
    throw error
  }
}

/**
 * @param {string} folder
 * @param {Plan} plan
 */
async function commitVersion(folder, { version, texts }) {
  for (const name of FILES) await writeFile(join(folder, name), texts[name])
  await outputOf(
    'git',
    ['commit', '--quiet', '--message', `release: publish ${version}`, '--', ...FILES],
    folder,
  )
}

/**
 * @param {string} folder
 * @param {Plan} plan
 */
async function tagVersion(folder, { version, texts }) {
  const message = `Switchyard ${version}\n\n${changesOf(texts['CHANGELOG.md'], version)}\n`
  // Otherwise git removes the headings of the changes as comments.
  const verbatim = ['--annotate', '--cleanup=verbatim', '--message', message]
  await outputOf('git', ['tag', ...verbatim, tagOf(version)], folder)
}

/**
 * Restores files and branch. What somebody else has changed since then stays.
 * @param {string} folder
 * @param {Plan} plan
 * @param {unknown} cause
 */
async function undo(folder, { head, version }, cause) {
  try {
    const [present, parent] = (await outputOf('git', ['rev-list', '--max-count=2', 'HEAD'], folder)).split(
      '\n',
    )
    if (present === head) await outputOf('git', ['restore', '--staged', '--worktree', '--', ...FILES], folder)
    else if (parent === head) await outputOf('git', ['reset', '--quiet', '--keep', head], folder)
    else throw new Error('The branch has more commits than that of the release')
    if (await outputOf('git', ['tag', '--list', tagOf(version)], folder)) {
      await outputOf('git', ['tag', '--delete', tagOf(version)], folder)
    }
  } catch (error) {
    const reasons = [cause, error].map((reason) =>
      reason instanceof Error ? reason.message : String(reason),
    )
    const remedy = `The branch, or one of ${FILES.join(', ')}, still has the version. See git status and git log, then git reset --keep ${head}`
    throw new CommandError('The release', [...reasons, remedy].join('\n'))
  }
}
