import type { Duplex } from 'node:stream'

import { recordsIn } from '../../../../git/stream-git.js'
import { deferred } from '../../../../lib/deferred.js'
import type { User } from '../../../access/caller.js'
import type { PushRuleRow } from '../../push-rule-store.js'
import { problemsOfCommits } from './check-commits.js'
import type { PushDeps } from './handle-push.js'
import { rulePeople } from './rule-people.js'

export interface GuardedPush {
  /** Undefined if no commit needs to be checked. */
  pushRule: PushRuleRow | undefined
  user: User
  pushId: number
  gitDir: string
  /** Where refs are to point. */
  ids: readonly string[]
  /** Further reasons to refuse the push, which need the new objects. */
  problemsWith: (quarantine: string) => Promise<string[]>
}

/**
 * Checks the new commits when git has them, and gives the hook of a push the reasons to refuse them. Never throws:
 * without a response, the hook refuses the push.
 */
export async function runGuard(
  { database, logger }: Pick<PushDeps, 'database' | 'logger'>,
  channel: Duplex,
  { pushRule, user, pushId, gitDir, ids, problemsWith }: GuardedPush,
): Promise<void> {
  channel.on('error', () => undefined) // the messages break off then
  const over = new AbortController()
  const people = rulePeople(database, user.id) // while git reads the pack
  const quarantine = deferred<string>()
  const found = { gitDir, ids, quarantine: quarantine.promise, signal: over.signal }
  // The programs that list commits are started here, and wait for the quarantine.
  const checked = people.then((known) =>
    !pushRule || ids.length === 0 ? [] : problemsOfCommits(pushRule, found, known),
  )
  checked.catch(() => undefined) // thrown when the hook asks
  const messages = recordsIn(channel as AsyncIterable<Buffer>, '\0')
  try {
    for (;;) {
      const next = await messages.next()
      if (next.done) return // git has refused the push before its hook
      const message = next.value
      const folder = message.slice(message.indexOf(' ') + 1)
      quarantine.resolve(folder)
      if (!message.startsWith('check ')) continue
      const problems = [...(await checked), ...(await problemsWith(folder))]
      channel.end(
        problems.length === 0 ? 'ok\n' : problems.map((problem) => `${oneLine(problem)}\n`).join(''),
      )
      return
    }
  } catch (error) {
    logger.warn({ err: error, push: pushId }, 'The push rules could not be checked')
    channel.end('The push rules could not be checked. Please try again.\n')
  } finally {
    over.abort()
  }
}

/** Names of files may contain line ends, which would end the reason. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}]+/gu, ' ')
}
