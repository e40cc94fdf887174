import { buffer } from 'node:stream/consumers'

import { isTreePath } from '../../../git/names.js'
import { apiError } from '../../http/errors.js'
import { blobBytes } from '../repositories/browse/blobs.js'
import { lastCommitOf } from '../repositories/browse/commit-log.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import { checkMayChange, type RefChanger } from '../repositories/change/change-refs.js'
import { commitFiles } from '../repositories/change/commit-files.js'
import { FileChangeError, RefsMovedError, RefsRefusedError } from '../repositories/change/errors.js'
import { ChangelogError } from './errors.js'
import { type ChangelogCall, type ChangelogDeps, generateSection, tipOf } from './generate.js'
import { insertSection } from './insert-section.js'
import type { AddChangelog } from './schema.js'

/** Bytes of a changelog that a section can be added to. */
const MAX_FILE_BYTES = 16 * 1024 * 1024
/** The file or branch may change at the same time. */
const ATTEMPTS = 3

/**
 * Commits the section of a version to a changelog; a changelog that has it stays as it is. Throws 403 if the caller may
 * not push to the branch, and `ChangelogError` with the reason if there can be no such commit.
 */
export async function commitChangelog(
  deps: ChangelogDeps,
  call: ChangelogCall & { changer: RefChanger },
  params: AddChangelog,
): Promise<void> {
  const { project, changer } = call
  const { file = 'CHANGELOG.md', version } = params
  if (!isTreePath(file)) throw new ChangelogError(`${file} is not a valid path of a file`)
  const branch = params.branch || project.default_branch || ''
  const tip = await tipOf(deps, project, branch)
  await refusingAsForbidden(() =>
    checkMayChange(deps.pushes, changer, [{ ref: `refs/heads/${branch}`, before: tip, after: tip }]),
  )
  const section = await generateSection(deps, call, { ...params, to: params.to || `refs/heads/${branch}` })
  const message = params.message || `Add changelog for version ${version}`
  for (let attempt = 1; ; attempt++) {
    try {
      await commitOnce(deps, call, { branch, file, version, section, message })
      return
    } catch (error) {
      if (!(error instanceof RefsMovedError || error instanceof FileChangeError)) throw error
      if (attempt >= ATTEMPTS) throw new ChangelogError(error.message, { cause: error })
    }
  }
}

interface NewSection {
  branch: string
  file: string
  version: string
  section: string
  message: string
}

async function commitOnce(
  deps: ChangelogDeps,
  call: ChangelogCall & { changer: RefChanger },
  { branch, file: path, version, section, message }: NewSection,
): Promise<void> {
  const { project, changer, reading } = call
  const tip = await tipOf(deps, project, branch)
  const before = await textAt(call, tip, path)
  const text = insertSection(before ?? '', version, section)
  if (text === undefined) return
  const last = before === undefined ? undefined : await lastCommitOf(reading, tip, path)
  const action = before === undefined ? 'create' : 'update'
  const { name, email } = changer.user
  await refusingAsForbidden(() =>
    commitFiles(deps.pushes, changer, reading, {
      branch,
      message,
      author: { name, email },
      actions: [{ action, path, content: Buffer.from(text) }],
      lastCommits: last === undefined ? [] : [{ path, commit: last }],
    }),
  )
}

/** Undefined if there is no such file. */
async function textAt({ reading }: ChangelogCall, sha: string, path: string): Promise<string | undefined> {
  const entry = await findEntry(reading, sha, path)
  if (!entry) return undefined
  if (entry.type !== 'blob' || entry.mode === '120000') throw new ChangelogError(`${path} is not a file`)
  if (entry.size > MAX_FILE_BYTES) throw new ChangelogError(`${path} is larger than ${MAX_FILE_BYTES} bytes`)
  const content = await buffer(blobBytes(reading, entry))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch (error) {
    throw new ChangelogError(`${path} is not UTF-8 text`, { cause: error })
  }
}

async function refusingAsForbidden(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (error instanceof RefsRefusedError) {
      throw apiError('changelog_commit_forbidden')
    }
    throw error
  }
}
