import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { replaceFile } from '../../../../lib/files.js'
import { FORCE_PUSH_REFUSED } from './ref-rules.js'

/*
 * Git has the new commits only just before it moves refs: first in a folder beside the repository, the quarantine. It then
 * runs two commands of the coordinator (never one of the repository):
 *
 *     refs of alternates ── `start <quarantine>` ──▶ coordinator      while git checks whether the objects are complete
 *     pre-receive ───────── `check <quarantine>` ──▶ coordinator      afterwards
 *                 ◀── reasons, one a line; `ok` if there is none ───
 *
 * The first only saves time: when the second asks, most of the commits are already checked. Both use file descriptor 3. If
 * the coordinator ends, the hook reads no `ok`, and git moves no ref.
 */

/** Lists no refs, as the setting of all pushes that it replaces. Git passes it an argument. */
const ALTERNATE_REFS = `start() {
  [ -z "$GIT_QUARANTINE_PATH" ] || printf 'start %s\\0' "$GIT_QUARANTINE_PATH" >&3
}; start`

const SCRIPT = `#!/bin/sh
# Written by the coordinator. Refuses to move the refs in SWITCHYARD_FORWARD_ONLY anywhere but forward, and lets the
# coordinator check new commits.
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
[ -n "$SWITCHYARD_CHECKS_COMMITS" ] && [ $status = 0 ] || exit $status
printf 'check %s\\0' "$GIT_QUARANTINE_PATH" >&3
while IFS= read -r line <&3; do
  [ "$line" = ok ] && exit 0
  printf '%s\\n' "$line" >&2
done
exit 1
`

export interface PushGuard {
  settings: Record<string, string>
  environment: Record<string, string>
}

/**
 * Settings and environment with which git moves these refs only forward, and asks the coordinator about new commits;
 * empty if there is nothing to check.
 */
export async function pushGuard(
  root: string,
  { forwardOnly, checksCommits }: { forwardOnly: readonly string[]; checksCommits: boolean },
): Promise<PushGuard> {
  if (forwardOnly.length === 0 && !checksCommits) return { settings: {}, environment: {} }
  const folder = join(root, 'hooks')
  await installHook(folder)
  return {
    settings: {
      'core.hooksPath': folder,
      ...(checksCommits && { 'core.alternateRefsCommand': ALTERNATE_REFS }),
    },
    environment: {
      SWITCHYARD_FORWARD_ONLY: forwardOnly.join(' '),
      SWITCHYARD_CHECKS_COMMITS: checksCommits ? '1' : '',
    },
  }
}

const isInstalled = new Set<string>()

/**
 * Writes the hook once per process, because another version may have written it. Git ignores a hook that is not
 * executable, so this is checked for each push. Throws if it cannot be installed.
 */
async function installHook(folder: string): Promise<void> {
  const hook = join(folder, 'pre-receive')
  if (isInstalled.has(folder) && (await isExecutable(hook))) return
  await mkdir(folder, { recursive: true })
  // Two pushes may be the first at the same time.
  await replaceFile(hook, SCRIPT, { mode: 0o755 })
  await access(hook, constants.X_OK)
  isInstalled.add(folder)
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return true
  } catch {
    return false // it is written again
  }
}
