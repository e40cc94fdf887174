import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { ZERO_ID } from '../../../../git/names.js'
import { runGit } from '../../../../git/run-git.js'
import type { PushDeps } from '../push/handle-push.js'
import { deleteStaleLocksOf } from '../stale-locks.js'
import { packedId, storedRef } from '../stored-ref.js'
import { changeRefs, checkMayChange, type RefChanger, withChangeSlot } from './change-refs.js'

/**
 * Deletes a branch or tag whose object cannot be read, under the rules of `changeRefs`. One whose file has no ID is
 * deleted without an event: its commit is unknown. False if there is no such ref.
 * @param ref a full name that `isRefName` accepts
 */
export async function deleteDamagedRef(deps: PushDeps, changer: RefChanger, ref: string): Promise<boolean> {
  const gitDir = deps.repositories.path(changer.project.id)
  const stored = await storedRef(gitDir, ref)
  if (!stored) return false
  if (stored.kind === 'id') await changeRefs(deps, changer, [{ ref, before: stored.id, after: ZERO_ID }])
  else {
    await checkMayChange(deps, changer, [{ ref, before: ZERO_ID, after: ZERO_ID }])
    await withChangeSlot(deps, changer, () => deleteBroken(gitDir, ref))
  }
  return true
}

/** Git refuses to lock a ref that it cannot resolve, so this takes the lock and deletes the file as git does. */
async function deleteBroken(gitDir: string, ref: string): Promise<void> {
  await deleteStaleLocksOf(gitDir, [ref])
  const lock = join(gitDir, `${ref}.lock`)
  const held = await open(lock, 'wx')
  try {
    if ((await storedRef(gitDir, ref))?.kind === 'broken') await rm(join(gitDir, ref))
  } finally {
    await held.close()
    await rm(lock)
  }
  // An earlier value, which would be back otherwise.
  const earlier = await packedId(gitDir, ref)
  if (earlier !== undefined) await runGit(['--git-dir', gitDir, 'update-ref', '-d', ref, earlier])
}
