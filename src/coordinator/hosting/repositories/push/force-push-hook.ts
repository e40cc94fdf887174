import { access, constants, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { FORCE_PUSH_REFUSED } from './push-rules.js'

/**
 * Whether a branch moves forward can only be told from the new commits, and git has these when it is about to move
 * refs: this hook of ours (never one of a repository) is asked then, and refuses the whole push.
 */
const SCRIPT = `#!/bin/sh
# Written by the coordinator. Refuses to move the refs in SWITCHYARD_FORWARD_ONLY anywhere but forward.
status=0
while read -r before after ref; do
  case " $SWITCHYARD_FORWARD_ONLY " in
    *" $ref "*) ;;
    *) continue ;;
  esac
  git merge-base --is-ancestor "$before" "$after" && continue
  echo "${FORCE_PUSH_REFUSED}" >&2
  status=1
done
exit $status
`

export interface PushGuard {
  settings: Record<string, string>
  environment: Record<string, string>
}

/** What git is started with so that these refs only move forward; nothing when there are none. */
export async function forwardOnlyGuard(root: string, refs: string[]): Promise<PushGuard> {
  if (refs.length === 0) return { settings: {}, environment: {} }
  const folder = join(root, 'hooks')
  await installHook(folder)
  return {
    settings: { 'core.hooksPath': folder },
    environment: { SWITCHYARD_FORWARD_ONLY: refs.join(' ') },
  }
}

/** Git passes over a hook that it cannot execute, so that is checked for each push; throws when it cannot be. */
async function installHook(folder: string): Promise<void> {
  const hook = join(folder, 'pre-receive')
  try {
    await access(hook, constants.X_OK)
  } catch {
    await mkdir(folder, { recursive: true })
    const fresh = `${hook}.${process.pid}`
    await writeFile(fresh, SCRIPT, { mode: 0o755 })
    await rename(fresh, hook)
    await access(hook, constants.X_OK)
  }
}
