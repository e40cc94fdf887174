import { rename, rm } from 'node:fs/promises'

import { branchOrTag, isLongRefName, MAX_REF_NAME_BYTES } from '../../../../git/names.js'
import { runGit } from '../../../../git/run-git.js'
import { isRepository } from '../../repositories/is-repository.js'
import { memorySettings } from '../../repositories/service-settings.js'
import { ImportError } from './import-error.js'

export interface CloneSource {
  /** A local folder, or a URL without credentials. */
  from: string
  /** The only branch to copy. */
  branch?: string | null | undefined
  /** Pattern of refs to copy besides branches and tags. */
  moreRefs?: string
  settings?: Record<string, string>
}

/**
 * Clones a repository to `gitDir`. The clone is renamed into place at the end, so it is never visible half
 * done; an existing repository is kept. The rest of an earlier interrupted clone is deleted. Throws
 * `ImportError` for a ref that a push could not create.
 */
export async function cloneInto(gitDir: string, source: CloneSource, signal: AbortSignal): Promise<void> {
  if (await isRepository(gitDir)) return
  const unfinished = `${gitDir}.import`
  await rm(unfinished, { recursive: true, force: true })
  try {
    await clone(unfinished, source, signal)
    await checkRefNames(unfinished, signal)
    await rename(unfinished, gitDir)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function clone(
  gitDir: string,
  { from, branch, settings, moreRefs }: CloneSource,
  signal: AbortSignal,
): Promise<void> {
  const only = branch ? ['--single-branch', '--no-tags', `--branch=${branch}`] : []
  const args = ['clone', '--quiet', '--bare', '--template=', ...only, '--', from, gitDir]
  const checked = { ...memorySettings, ...checkedObjects, ...settings }
  await runGit(args, { settings: checked, environment: { GIT_DEFAULT_REF_FORMAT: 'files' }, signal })
  if (moreRefs !== undefined) await fetchRefs(gitDir, { from, refs: moreRefs, settings: checked }, signal)
  // The source is not recorded, and the copy does not track it.
  await runGit(['--git-dir', gitDir, 'config', '--remove-section', 'remote.origin'])
  await refuseNestedRefs(gitDir, signal)
}

/** Copies the refs that match a pattern. */
export async function fetchRefs(
  gitDir: string,
  { from, refs, settings }: { from: string; refs: string; settings: Record<string, string> },
  signal: AbortSignal,
): Promise<void> {
  const quiet = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']
  const args = ['--git-dir', gitDir, ...quiet, '--', from, `+${refs}:${refs}`]
  await runGit(args, { settings, signal })
}

/** A push of such a ref is refused too: git resolves a missing branch `x` to the tag `refs/heads/x`. */
async function refuseNestedRefs(gitDir: string, signal: AbortSignal): Promise<void> {
  const folders = ['refs/heads/refs/', 'refs/tags/refs/']
  const args = ['--git-dir', gitDir, 'for-each-ref', '--count=1', '--format=%(refname)', ...folders]
  const ref = (await runGit(args, { signal })).trim()
  if (ref === '') return
  throw new ImportError(`The name of a branch or tag must not begin with refs/: rename ${ref} in the source`)
}

async function checkRefNames(gitDir: string, signal: AbortSignal): Promise<void> {
  const args = ['--git-dir', gitDir, 'for-each-ref', '--format=%(refname)', 'refs/heads/', 'refs/tags/']
  for (const ref of (await runGit(args, { signal })).split('\n')) {
    const { kind, name } = branchOrTag(ref) ?? {}
    if (kind === undefined || name === undefined) continue
    const problem = problemOf(name)
    if (problem) throw new ImportError(`The ${kind} "${name.slice(0, 60)}" cannot be imported: ${problem}`)
  }
}

function problemOf(name: string): string | undefined {
  if (name.includes(REPLACEMENT_CHARACTER)) return 'its name is not UTF-8'
  return isLongRefName(name) ? `its name has more than ${MAX_REF_NAME_BYTES} bytes` : undefined
}

/** Replaces bytes that are not UTF-8. */
const REPLACEMENT_CHARACTER = '\ufffd'

/** As for pushes: malicious objects are refused, but harmless errors of old tools are ignored. */
const checkedObjects = {
  'fetch.fsckObjects': 'true',
  'fetch.fsck.badTimezone': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
}
