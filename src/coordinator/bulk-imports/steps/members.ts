import { OWNER } from '../../access/access-levels.js'
import { LEVEL_NAMES } from '../../access/level-names.js'
import { enrolQuietly, refuseLocked } from '../../accounts/members/members.js'
import { type Source, sourceOfGroup, sourceOfProject } from '../../accounts/members/source.js'
import { findMember } from '../../accounts/members/store.js'
import { inTransaction } from '../../database/transaction.js'
import type { EntityRun, Step } from '../run.js'
import { type SourceMember as Member, SourceMember } from '../source/records.js'
import { listStep, type Outcome, PRESENT } from './list-step.js'

/**
 * Direct members, by their confirmed e-mail addresses. The importer owns the copy and could add them one by one; no mail and
 * no webhook says that they are members.
 */
export const memberStep: Step = listStep({
  kind: 'members',
  path: 'members',
  schema: SourceMember,
  keyOf: ({ id }) => id,
  nameOf: ({ name, username, access_level }) =>
    `${name ?? username} (${username}), ${LEVEL_NAMES.get(access_level) ?? access_level}`,
  decide,
  write: async (run, member) => {
    const source = sourceIn(run)
    const userId = await run.people.accountOf(member)
    if (!source || userId === undefined) return
    const { access_level, expires_at = null } = member
    const actor = { user: run.importer, accessLevel: OWNER }
    await inTransaction(run.deps.database, (tx) =>
      enrolQuietly(tx, source, userId, { access_level, expires_at }, actor),
    )
  },
})

async function decide(run: EntityRun, member: Member): Promise<Outcome | undefined> {
  const leftOut = (reason: string): Outcome => ({ outcome: 'left_out', reason })
  if (!run.entity.migrate_memberships) return leftOut('members were not requested')
  if (!LEVEL_NAMES.has(member.access_level))
    return leftOut(`there is no role with the level ${member.access_level}`)
  if (member.expires_at && Date.parse(member.expires_at) <= Date.now())
    return leftOut('the membership has ended')
  const userId = await run.people.accountOf(member)
  if (userId === undefined) {
    return leftOut('no account has the e-mail address of this user, or the source does not show the address')
  }
  const source = sourceIn(run)
  if (!source) return undefined
  if (await findMember(run.deps.database, { source }, userId)) return PRESENT
  await refuseLocked(run.deps.database, source)
  return undefined
}

function sourceIn({ project, group }: EntityRun): Source | undefined {
  return project ? sourceOfProject(project) : group && sourceOfGroup(group)
}
