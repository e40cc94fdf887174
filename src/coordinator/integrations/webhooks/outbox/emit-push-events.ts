import { branchOrTag } from '../../../../git/names.js'
import type { Transaction } from '../../../database/transaction.js'
import { type HookRow, hooksOfProject, systemHooks } from '../hook-store.js'
import { isWantedBranch } from './branch-filter.js'
import { storeEvents } from './outbox.js'

/** A branch or tag that was created, moved or deleted. */
export interface PushFacts {
  /** Full name. */
  ref: string
  /** 40 zeros = the ref did not exist. */
  before: string
  /** 40 zeros = the ref was deleted. */
  after: string
  userId: number
  /** Values of `git push -o`. */
  options: string[]
  /** For system hooks, whose events include no commits (API, K6). */
  isBrief?: boolean
}

/**
 * Emits the event about a moved ref to the webhooks of the project and of its groups, and to system hooks, when `tx`
 * commits.
 */
export async function emitPushEvents(tx: Transaction, projectId: number, facts: PushFacts): Promise<void> {
  const target = branchOrTag(facts.ref)
  if (!target) return
  const trigger = target.kind === 'branch' ? 'push_events' : 'tag_push_events'
  const kind = target.kind === 'branch' ? 'push' : 'tag_push'
  const own = await hooksOfProject(tx, projectId)
  const ofInstance = await systemHooks(tx)
  const isWanted = (hook: HookRow): boolean =>
    hook[trigger] && (target.kind === 'tag' || isWantedBranch(hook, target.name))
  await storeEvents(tx, [
    { projectId, trigger, kind, facts, hooks: own.filter(isWanted) },
    { projectId, trigger, kind, facts: { ...facts, isBrief: true }, hooks: ofInstance.filter(isWanted) },
    {
      projectId,
      trigger: 'repository_update_events',
      kind: 'repository_update',
      facts,
      hooks: [...own, ...ofInstance].filter(({ repository_update_events }) => repository_update_events),
    },
  ])
}
