import type { Duplex } from 'node:stream'

import { recordsIn } from '../../../../git/stream-git.js'
import type { User } from '../../../access/caller.js'
import type { PushRuleRow } from '../../push-rule-store.js'
import { problemsOfCommits } from './check-commits.js'
import type { PushDeps } from './handle-push.js'
import { rulePeople } from './rule-people.js'

export interface GuardedPush {
  pushRule: PushRuleRow
  user: User
  pushId: number
  gitDir: string
  /** Where refs are to point. */
  ids: readonly string[]
}

/**
 * Checks the new commits when git has them, and answers the hook of a push with the reasons to refuse them. Never throws:
 * without an answer, the hook refuses the push.
 */
export async function answerGuard(
  { database, logger }: Pick<PushDeps, 'database' | 'logger'>,
  channel: Duplex,
  { pushRule, user, pushId, gitDir, ids }: GuardedPush,
): Promise<void> {
  channel.on('error', () => undefined) // the messages break off then
  const over = new AbortController()
  const people = rulePeople(database, user.id) // while git reads the pack
  people.catch(() => undefined) // thrown by the check
  const check = async (quarantine: string) => {
    if (ids.length === 0) return []
    const environment = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(quarantine) }
    return problemsOfCommits(pushRule, { gitDir, ids, environment, signal: over.signal }, await people)
  }
  const messages = recordsIn(channel as AsyncIterable<Buffer>, '\0')
  let checked: Promise<string[]> | undefined
  try {
    for (;;) {
      const next = await messages.next()
      if (next.done) return // git has refused the push before its hook
      const message = next.value
      checked ??= check(message.slice(message.indexOf(' ') + 1))
      checked.catch(() => undefined) // thrown when the hook asks
      if (!message.startsWith('check ')) continue
      const problems = await checked
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

/** A path as git reads it in a list of paths. */
function quoted(path: string): string {
  return `"${path.replaceAll(/[\\"]/g, String.raw`\$&`)}"`
}

/** Names of files may contain line ends, which would end the reason. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}]+/gu, ' ')
}
