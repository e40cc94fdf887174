import { access, constants, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { argumentsOf, BATCH_CHECK, type Listing } from './check-commits.js'
import { FORCE_PUSH_REFUSED } from './ref-rules.js'

/*
 * Git has the new commits only just before it moves refs. At that point it runs this hook of the coordinator (never one
 * of the repository), which can refuse the whole push:
 *
 *     pre-receive ── listings of new commits, each followed by `end` ──▶ coordinator
 *                 ◀── reasons, one a line; `ok` if there is none ───────
 *
 * Both use file descriptor 3. If the coordinator ends, the hook reads no `ok`, and git moves no ref.
 */

/** Prints a listing, with its records and `end` ended by null bytes. */
function commandsOf(listing: Listing): string {
  const git = `git ${argumentsOf(listing).map(quoted).join(' ')}`
  const sizes = `${git} | cut -c1-40 | git ${BATCH_CHECK.map(quoted).join(' ')} | tr '\\n' '\\0'`
  return `printf '%s\\n' $new | ${listing === 'sizes' ? sizes : git} >&3 || exit 1`
}

function quoted(argument: string): string {
  return `'${argument}'`
}

const LISTINGS: readonly Listing[] = ['commits', 'files', 'headers', 'sizes']

const SCRIPT = `#!/bin/sh
# Written by the coordinator. Refuses to move the refs in SWITCHYARD_FORWARD_ONLY anywhere but forward, and lets the
# coordinator check new commits.
status=0
new=
while read -r before after ref; do
  case "$after" in
    *[!0]*) new="$new $after" ;;
  esac
  case " $SWITCHYARD_FORWARD_ONLY " in
    *" $ref "*) ;;
    *) continue ;;
  esac
  git merge-base --is-ancestor "$before" "$after" && continue
  echo "${FORCE_PUSH_REFUSED}" >&2
  status=1
done
[ -n "$SWITCHYARD_LISTINGS" ] && [ $status = 0 ] || exit $status
for listing in $SWITCHYARD_LISTINGS; do
  if [ -n "$new" ]; then
    case $listing in
${LISTINGS.map((listing) => `      ${listing}) ${commandsOf(listing)} ;;`).join('\n')}
    esac
  fi
  printf '\\0end\\0' >&3
done
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
  { forwardOnly, listings }: { forwardOnly: readonly string[]; listings: readonly Listing[] },
): Promise<PushGuard> {
  if (forwardOnly.length === 0 && listings.length === 0) return { settings: {}, environment: {} }
  const folder = join(root, 'hooks')
  await installHook(folder)
  return {
    settings: { 'core.hooksPath': folder },
    environment: {
      SWITCHYARD_FORWARD_ONLY: forwardOnly.join(' '),
      SWITCHYARD_LISTINGS: listings.join(' '),
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
  const fresh = `${hook}.${process.pid}`
  await writeFile(fresh, SCRIPT, { mode: 0o755 })
  await rename(fresh, hook)
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
