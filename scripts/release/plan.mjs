import { SetupError } from '../setup/say.mjs'
import { releaseChangelog } from './changelog.mjs'
import { withImageVersion } from './image-label.mjs'
import { versionOf, withVersion } from './manifests.mjs'
import { nextVersion, tagOf } from './version.mjs'

const BRANCH = 'main'

/** The files that a release changes. */
export const FILES = /** @type {const} */ ([
  'CHANGELOG.md',
  'Dockerfile',
  'package-lock.json',
  'package.json',
])

/** @typedef {Record<typeof FILES[number], string>} Texts by the name of the file */

/**
 * @typedef {object} Repository the state of the clone that releases
 * @property {string} branch
 * @property {string} head the commit
 * @property {string} changes output of `git status --porcelain`
 * @property {readonly string[]} tags
 * @property {Texts} texts
 *
 * @typedef {object} Plan
 * @property {string} version
 * @property {string} head the commit before that of the version
 * @property {Texts} texts
 */

/**
 * @param {Repository} repository
 * @param {string} wanted a version, or `major`, `minor` or `patch`
 * @param {string} date such as 2026-01-31
 * @returns {Plan}
 * @throws {SetupError} that says what to do first
 */
export function planRelease({ branch, head, changes, tags, texts }, wanted, date) {
  if (branch !== BRANCH) {
    throw new SetupError(
      `A release is made from ${BRANCH}, and this is ${branch || 'no branch'}: git switch ${BRANCH}`,
    )
  }
  if (changes !== '') {
    throw new SetupError(
      `Commit these changes, or put them away (git stash --include-untracked):\n${changes}`,
    )
  }
  const present = versionOf(texts['package.json'])
  requireUnreleased(wanted, present, tags)
  const version = nextVersion(present, wanted)
  return {
    version,
    head,
    texts: {
      'CHANGELOG.md': releaseChangelog(texts['CHANGELOG.md'], version, date),
      Dockerfile: withImageVersion(texts.Dockerfile, version),
      'package-lock.json': withVersion(texts['package-lock.json'], version),
      'package.json': withVersion(texts['package.json'], version),
    },
  }
}

/**
 * @param {string} wanted
 * @param {string} present
 * @param {readonly string[]} tags
 */
function requireUnreleased(wanted, present, tags) {
  if (tags.includes(tagOf(wanted)))
    throw new SetupError(`${wanted} is released: the tag ${tagOf(wanted)} exists.`)
  if (wanted !== present) return
  throw new SetupError(
    `package.json has the version ${wanted}, and there is no tag ${tagOf(wanted)}: an earlier release was killed. ` +
      'If `git show` shows its commit, undo it (git reset --keep HEAD^), and try again.',
  )
}
