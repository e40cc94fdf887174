import { GitError } from '../../../git/errors.js'
import { isLongRefName, ZERO_ID } from '../../../git/names.js'
import { matchesRefPattern } from '../../../git/ref-pattern.js'
import { runGit } from '../../../git/run-git.js'
import type { Project, User } from '../../access/caller.js'
import { whyReadOnly } from '../../access/read-only.js'
import { ClaimedWorker } from '../../background/claimed-worker.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import type { RefChange } from '../../database/tables/repositories.js'
import { RemoteRepositoryError } from '../../egress/errors.js'
import { pinnedRemote } from '../../egress/remote-repository.js'
import { ApiError } from '../../http/errors.js'
import type { Giver } from '../../intentions/giver.js'
import { checkMirrorUser } from '../mirror-user.js'
import { changeAllowedRefs } from '../repositories/change/change-refs.js'
import { RefsMovedError } from '../repositories/change/errors.js'
import { isAncestor } from '../repositories/changed-files.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { memorySettings } from '../repositories/service-settings.js'
import { findProject, listProtectedRefs } from '../repositories/store.js'
import {
  claimPull,
  findDuePulls,
  finishPull,
  onPullRequested,
  type PullMirrorRow,
  updatePullMirror,
} from './store.js'

export interface PullWorkerDeps {
  pushes: PushDeps
  secrets: SecretBox
  /**
   * Resolves a URL to an address that is allowed to be connected to. Throws `LocalAddressError` and other
   * errors of the egress filter.
   */
  addressOf: (url: URL) => Promise<string>
}

/** Maximum length of a stored message, in characters. */
const MAX_MESSAGE = 500
/** The location of the refs of the source; clients do not see them. */
const SOURCE = 'refs/pull-mirror/'

/** The update cannot be done; the message says why. */
class PullError extends Error {}

/** Takes over branches and tags of the sources of mirrors. */
export class PullMirrorWorker extends ClaimedWorker<PullMirrorRow> {
  constructor(deps: PullWorkerDeps) {
    const { database, logger } = deps.pushes
    super({
      of: 'Pull mirrors',
      find: () => findDuePulls(database),
      claim: (mirror, until) => claimPull(database, mirror, until),
      renew: ({ id }, claimed_until) => updatePullMirror(database, id, { claimed_until }),
      perform: async (mirror, signal) => {
        const problem = await pull(deps, mirror, signal)
        await finishPull(database, mirror, { isFailed: false, problem })
      },
      abort: (mirror, error) => finishPull(database, mirror, { isFailed: true, problem: reasonOf(error) }),
      logger,
    })
    onPullRequested(database, () => this.wake())
  }
}

/** Returns which branches have diverged; null if all are taken over. */
async function pull(
  deps: PullWorkerDeps,
  mirror: PullMirrorRow,
  signal: AbortSignal,
): Promise<string | null> {
  const { database } = deps.pushes
  await mirroringUser(database, mirror)
  await fetchSource(deps, mirror, signal)
  // A fetch may take long.
  const { project, user } = await mirroringUser(database, mirror)
  const { changes, diverged } = await changesOf(deps, mirror, project, signal)
  if (changes.length > 0) await apply(deps, { project, user, signal }, changes)
  return diverged.length === 0 ? null : `Diverged: ${diverged.join(', ')}`.slice(0, MAX_MESSAGE)
}

/** The user who has set up the mirror. Throws `PullError` or `RemoteRepositoryError` if they may not do that now. */
async function mirroringUser(database: Database, mirror: PullMirrorRow): Promise<Giver> {
  const project = await findProject(database, mirror.project_id)
  if (!project || whyReadOnly(project) !== undefined) throw new PullError('The project is read-only')
  return checkMirrorUser(database, mirror)
}

async function fetchSource(deps: PullWorkerDeps, mirror: PullMirrorRow, signal: AbortSignal): Promise<void> {
  const { url, settings } = await pinnedRemote(deps.secrets.decrypt(mirror.url_encrypted), deps.addressOf)
  const { repositories } = deps.pushes
  const refs = ['heads', 'tags'].map((kind) => `+refs/${kind}/*:${SOURCE}${kind}/*`)
  const quiet = ['fetch', '--quiet', '--prune', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']
  const args = ['--git-dir', repositories.path(mirror.project_id), ...quiet, '--', url, ...refs]
  const checked = { ...memorySettings, ...settings, 'fetch.fsckObjects': 'true' }
  await repositories.withSlot(
    mirror.project_id,
    'tasks',
    () => runGit(args, { settings: checked, signal }),
    signal,
  )
}

async function changesOf(
  { pushes }: PullWorkerDeps,
  mirror: PullMirrorRow,
  project: Project,
  signal: AbortSignal,
): Promise<{ changes: RefChange[]; diverged: string[] }> {
  const { repositories, database } = pushes
  const gitDir = repositories.path(project.id)
  const list = ['for-each-ref', '--format=%(objectname) %(refname)', SOURCE, 'refs/heads/', 'refs/tags/']
  const output = await repositories.withSlot(project.id, 'tasks', () =>
    runGit(['--git-dir', gitDir, ...list]),
  )
  const ids = new Map(
    output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(41), line.slice(0, 40)]),
  )
  const rules = mirror.only_protected_branches ? await listProtectedRefs(database, project.id, undefined) : []
  const changes: RefChange[] = []
  const diverged: string[] = []
  for (const [source, after] of ids) {
    if (!source.startsWith(SOURCE)) continue
    const ref = `refs/${source.slice(SOURCE.length)}`
    const name = ref.replace(/^refs\/(heads|tags)\//, '')
    const isBranch = ref.startsWith('refs/heads/')
    const isLeftOut =
      isBranch &&
      mirror.only_protected_branches &&
      !rules.some(({ kind, name: pattern }) => kind === 'branch' && matchesRefPattern(pattern, name))
    const before = ids.get(ref) ?? ZERO_ID
    if (isLeftOut || before === after || isLongRefName(name) || name.startsWith('refs/')) continue
    const isForward = before === ZERO_ID || (isBranch && (await isAncestor(gitDir, before, after, signal)))
    if (!isForward && !mirror.overwrites_diverged) diverged.push(name)
    else changes.push({ ref, before, after, ...(!mirror.triggers_pipelines && { isQuiet: true }) })
  }
  return { changes, diverged }
}

/** Each ref by itself: a branch that a user moves at the same moment does not prevent the others from moving. */
async function apply(
  { pushes }: PullWorkerDeps,
  changer: { project: Project; user: User; signal: AbortSignal },
  changes: readonly RefChange[],
): Promise<void> {
  for (const change of changes) {
    try {
      await changeAllowedRefs(pushes, changer, [change])
    } catch (error) {
      if (!(error instanceof RefsMovedError)) throw error
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof GitError) return (error.stderr.trim() || error.message).slice(0, MAX_MESSAGE)
  if (error instanceof ApiError) return JSON.stringify(error.body).slice(0, MAX_MESSAGE)
  const isKnown = error instanceof RemoteRepositoryError || error instanceof PullError
  return isKnown ? error.message.slice(0, MAX_MESSAGE) : 'The update failed'
}
