import { rename, rm } from 'node:fs/promises'

import { branchOrTag, isLongRefName, MAX_REF_NAME_BYTES } from '../../../../git/names.js'
import { runGit } from '../../../../git/run-git.js'
import { isRepository } from '../../repositories/is-repository.js'
import { memorySettings } from '../../repositories/service-settings.js'
import { ImportError } from './import-error.js'

export interface CloneSource {
  /** A folder of this machine, or an address without credentials. */
  from: string
  /** The only branch that is wanted. */
  branch?: string | null | undefined
  settings?: Record<string, string>
}

/**
 * Makes the repository at `gitDir` a copy of another, in one step at the end: nobody sees it before it is whole, and one
 * that is there already is left as it is. What a killed coordinator has left of an earlier try is removed. Throws
 * `ImportError` for a branch or tag that could not be pushed here.
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
  { from, branch, settings }: CloneSource,
  signal: AbortSignal,
): Promise<void> {
  const only = branch ? ['--single-branch', '--no-tags', `--branch=${branch}`] : []
  const args = ['clone', '--quiet', '--bare', '--template=', ...only, '--', from, gitDir]
  await runGit(args, {
    settings: { ...memorySettings, ...checkedObjects, ...settings },
    environment: { GIT_DEFAULT_REF_FORMAT: 'files' },
    signal,
  })
  // Where it came from is nobody's business, and it does not follow it.
  await runGit(['--git-dir', gitDir, 'config', '--remove-section', 'remote.origin'])
  await refuseNestedRefs(gitDir, signal)
}

/** A push that creates such a ref is refused as well: git takes the tag `refs/heads/x` for a branch `x` that does not exist. */
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

/** What bytes that are not UTF-8 are read as. */
const REPLACEMENT_CHARACTER = '\ufffd'

/** As for pushes: objects made to harm those who check them out are refused, old mistakes of harmless tools are not. */
const checkedObjects = {
  'fetch.fsckObjects': 'true',
  'fetch.fsck.badTimezone': 'ignore',
  'fetch.fsck.missingSpaceBeforeDate': 'ignore',
  'fetch.fsck.zeroPaddedFilemode': 'ignore',
}
