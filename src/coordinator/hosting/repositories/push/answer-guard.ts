import type { Duplex } from 'node:stream'

import { recordsIn } from '../../../../git/stream-git.js'
import type { User } from '../../../access/caller.js'
import type { PushRuleRow } from '../../push-rule-store.js'
import { problemsOfCommits } from './check-commits.js'
import type { PushDeps } from './handle-push.js'
import { rulePeople } from './rule-people.js'

/**
 * Checks the new commits that the hook of a push lists, and answers with the reasons to refuse them. Never throws: without
 * an answer, the hook refuses the push.
 */
export async function answerGuard(
  { database, logger }: Pick<PushDeps, 'database' | 'logger'>,
  channel: Duplex,
  { pushRule, user, pushId }: { pushRule: PushRuleRow; user: User; pushId: number },
): Promise<void> {
  channel.on('error', () => undefined) // the listing breaks off then
  try {
    const people = await rulePeople(database, user.id)
    const records = recordsIn(channel as AsyncIterable<Buffer>, '\0')
    const problems = await problemsOfCommits(pushRule, records, people)
    channel.end(problems.length === 0 ? 'ok\n' : problems.map((problem) => `${oneLine(problem)}\n`).join(''))
  } catch (error) {
    // Also if git has ended without the hook, because the pack is broken.
    logger.warn({ err: error, push: pushId }, 'The push rules could not be checked')
    channel.end('The push rules could not be checked. Please try again.\n')
  }
}

/** Names of files may contain line ends, which would end the reason. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}]+/gu, ' ')
}
