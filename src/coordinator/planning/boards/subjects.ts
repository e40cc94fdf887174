import type { User } from '../../access/caller.js'
import { readsIssues } from '../../access/planning-visibility.js'
import { maySeeGroup } from '../../access/visibility.js'
import type { Transaction } from '../../database/transaction.js'
import { isAvailableTo } from '../../hosting/owner-scope.js'
import { apiError } from '../../http/errors.js'
import { activeUsersAmong } from '../access/active-users.js'
import type { BoardOwner } from '../stores/board-store.js'
import { findLabel, type LabelKey } from '../stores/label-store.js'
import type { BoardScope } from './owner-routes.js'

/** The ID of a label that issues on boards of the owner can have. Throws 400 for others. */
export async function labelFor(
  tx: Transaction,
  { owner, viewer }: BoardScope,
  key: LabelKey,
): Promise<number> {
  const label = await findLabel(tx, owner, key, { ancestorsFor: { viewer } })
  if (!label) throw apiError('board_subject_unknown', { kind: 'Label' })
  return label.id
}

/** The ID of a milestone that issues on boards of the owner can have. Throws 400 for others. */
export async function milestoneFor(
  tx: Transaction,
  { owner, viewer }: BoardScope,
  id: number,
): Promise<number> {
  const milestone = await tx
    .selectFrom('milestone')
    .leftJoin('namespace', 'namespace.id', 'milestone.group_id')
    .select('milestone.id')
    .where('milestone.id', '=', id)
    .where(() => isAvailableTo('milestone', owner))
    // The milestones of a project are those of all groups above it; those of a group only of the groups that the caller sees.
    .$if('group_id' in owner, (query) => query.where(() => maySeeGroup(viewer)))
    .executeTakeFirst()
  if (!milestone) throw apiError('board_subject_unknown', { kind: 'Milestone' })
  return milestone.id
}

/** The ID of an active user who sees issues on boards of the owner. Throws 400 for others. */
export async function assigneeFor(tx: Transaction, { owner }: BoardScope, id: number): Promise<number> {
  const [assignee] = await activeUsersAmong(tx, [id], (user) => isReader(tx, owner, user))
  if (assignee === undefined) throw apiError('board_subject_unknown', { kind: 'User' })
  return assignee
}

async function isReader(tx: Transaction, owner: BoardOwner, user: User): Promise<boolean> {
  const query =
    'project_id' in owner
      ? tx
          .selectFrom('project')
          .select('id')
          .where('id', '=', owner.project_id)
          .where(() => readsIssues(user))
      : tx
          .selectFrom('namespace')
          .select('id')
          .where('id', '=', owner.group_id)
          .where(() => maySeeGroup(user))
  return (await query.executeTakeFirst()) !== undefined
}
