import { GitError } from '../../../git/errors.js'
import { matchesRefPattern } from '../../../git/ref-pattern.js'
import { runGit } from '../../../git/run-git.js'
import type { Logger } from '../../../lib/logger.js'
import { ClaimedWorker } from '../../background/claimed-worker.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { RemoteRepositoryError } from '../../egress/errors.js'
import { pinnedRemote } from '../../egress/remote-repository.js'
import { checkMirrorUser } from '../mirror-user.js'
import type { Repositories } from '../repositories/repositories.js'
import { listProtectedRefs } from '../repositories/store.js'
import { claimMirror, findDueMirrors, finishMirror, type MirrorRow, updateMirror } from './store.js'

export interface MirrorWorkerDeps {
  database: Database
  secrets: SecretBox
  repositories: Pick<Repositories, 'path' | 'withSlot' | 'listRefs'>
  /**
   * Resolves a URL to an address that is allowed to be connected to. Throws `LocalAddressError` and other
   * errors of the egress filter.
   */
  addressOf: (url: URL) => Promise<string>
  logger: Logger
}

/** Maximum length of a stored error message of git, in characters. */
const MAX_ERROR = 500

/** Pushes repositories to their remote mirrors. */
export class MirrorWorker extends ClaimedWorker<MirrorRow> {
  constructor(deps: MirrorWorkerDeps) {
    const { database, logger } = deps
    super({
      of: 'Mirrors',
      find: () => findDueMirrors(database),
      claim: (mirror, until) => claimMirror(database, mirror, until),
      renew: ({ id }, claimed_until) => updateMirror(database, id, { claimed_until }),
      perform: async (mirror, signal) => {
        await pushToMirror(deps, mirror, signal)
        await finishMirror(database, mirror.id, null)
      },
      abort: ({ id }, error) => finishMirror(database, id, reasonOf(error)),
      logger,
    })
  }
}

/**
 * Pushes branches and tags, but not the internal refs of the coordinator, if the user of the mirror may set it up at this
 * moment. Throws `GitError` and `RemoteRepositoryError`.
 */
async function pushToMirror(deps: MirrorWorkerDeps, mirror: MirrorRow, signal: AbortSignal): Promise<void> {
  const { url, settings } = await pinnedRemote(deps.secrets.decrypt(mirror.url_encrypted), deps.addressOf)
  const refs = await refsToPush(deps, mirror)
  if (refs.length === 0) return
  const force = mirror.keep_divergent_refs ? '' : '+'
  const prune = mirror.only_protected_branches ? [] : ['--prune']
  const args = ['--git-dir', deps.repositories.path(mirror.project_id), 'push', '--quiet', ...prune]
  const moves = refs.map((ref) => `${force}${ref}:${ref}`)
  const push = async () => {
    await checkMirrorUser(deps.database, mirror)
    await runGit([...args, '--', url, ...moves], { settings, signal })
  }
  await deps.repositories.withSlot(mirror.project_id, 'tasks', push, signal)
}

async function refsToPush(
  { database, repositories }: MirrorWorkerDeps,
  mirror: MirrorRow,
): Promise<string[]> {
  if (!mirror.only_protected_branches) return ['refs/heads/*', 'refs/tags/*']
  const rules = await listProtectedRefs(database, mirror.project_id, undefined)
  const patterns = rules.filter(({ kind }) => kind === 'branch').map(({ name }) => name)
  const branches = await repositories.listRefs(mirror.project_id, 'branch')
  return branches
    .filter(({ ref }) => patterns.some((pattern) => matchesRefPattern(pattern, ref)))
    .map(({ ref }) => `refs/heads/${ref}`)
}

function reasonOf(error: unknown): string {
  if (error instanceof RemoteRepositoryError) return error.message.slice(0, MAX_ERROR)
  if (error instanceof GitError) return (error.stderr.trim() || error.message).slice(0, MAX_ERROR)
  return 'The push failed'
}
