import { access, constants, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { FORCE_PUSH_REFUSED } from './push-rules.js'

/**
 * Whether a branch is fast-forwarded depends on the new commits, which git has only just before it moves
 * refs. At that point git runs this hook of the coordinator (never one of the repository), which can refuse
 * the whole push.
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

/**
 * Settings and environment with which git refuses to move these refs other than forward; empty if there are
 * none.
 */
export async function forwardOnlyGuard(root: string, refs: string[]): Promise<PushGuard> {
  if (refs.length === 0) return { settings: {}, environment: {} }
  const folder = join(root, 'hooks')
  await installHook(folder)
  return {
    settings: { 'core.hooksPath': folder },
    environment: { SWITCHYARD_FORWARD_ONLY: refs.join(' ') },
  }
}

/**
 * Git ignores a hook that is not executable, so this is checked for each push. Throws if the hook cannot be
 * installed.
 */
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
