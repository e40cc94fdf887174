import { type RawBuilder, sql } from 'kysely'

import { groupsAboveProject } from '../../database/stores/namespace-store.js'
import type { Transaction } from '../../database/transaction.js'
import { moveLabelEvents } from '../../integrations/resource-event-log/store.js'
import { type LabelRow, prioritiesOf, setPriority } from './label-store.js'
import { addSubscription } from './label-subscription-store.js'
import { replaceLabelOnBoards } from './replace-on-boards.js'

/** The labels with this name of the projects directly in a group. */
export function labelsOfGroupProjects(tx: Transaction, groupId: number, name: string): Promise<LabelRow[]> {
  return tx
    .selectFrom('label')
    .innerJoin('project', 'project.id', 'label.project_id')
    .selectAll('label')
    .where('project.namespace_id', '=', groupId)
    .where('label.name', '=', name)
    .orderBy('label.id')
    .execute()
}

/**
 * Gives the issues, merge requests, boards, events, priorities and subscribers of a project label to a group label that
 * replaces it.
 */
export async function moveLabel(tx: Transaction, from: LabelRow, to: number): Promise<void> {
  await copyUses(tx, from.id, to)
  await replaceLabelOnBoards(tx, from.id, to)
  await moveLabelEvents(tx, from.id, to)
  await tx
    .insertInto('label_priority')
    .columns(['project_id', 'label_id', 'priority'])
    .expression(({ selectFrom }) =>
      selectFrom('label_priority')
        .select(['project_id', sql<number>`cast(${to} as bigint)`.as('label_id'), 'priority'])
        .where('label_id', '=', from.id),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .insertInto('label_subscription')
    .columns(['label_id', 'user_id', 'project_id'])
    .expression(({ selectFrom }) =>
      selectFrom('label_subscription')
        .select([
          sql<number>`cast(${to} as bigint)`.as('label_id'),
          'user_id',
          sql<number>`cast(${from.project_id} as bigint)`.as('project_id'),
        ])
        .where('label_id', '=', from.id),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Gives the issues and merge requests with one label another one too: all of them, or those of one project. */
async function copyUses(tx: Transaction, from: number, to: number, projectId?: number): Promise<void> {
  await tx
    .insertInto('issue_label')
    .columns(['issue_id', 'label_id'])
    .expression(({ selectFrom }) =>
      selectFrom('issue_label')
        .select(['issue_id', sql<number>`cast(${to} as bigint)`.as('label_id')])
        .where('label_id', '=', from)
        .$if(projectId !== undefined, (uses) => uses.where('issue_id', 'in', issuesOf(projectId ?? 0))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .insertInto('merge_request_label')
    .columns(['merge_request_id', 'label_id'])
    .expression(({ selectFrom }) =>
      selectFrom('merge_request_label')
        .select(['merge_request_id', sql<number>`cast(${to} as bigint)`.as('label_id')])
        .where('label_id', '=', from)
        .$if(projectId !== undefined, (uses) =>
          uses.where('merge_request_id', 'in', mergeRequestsOf(projectId ?? 0)),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Subquery. */
function issuesOf(projectId: number): RawBuilder<number> {
  return sql<number>`(select issue.id from issue where issue.project_id = ${projectId})`
}

/** Subquery. */
function mergeRequestsOf(projectId: number): RawBuilder<number> {
  return sql<number>`(select merge_request.id from merge_request where merge_request.project_id = ${projectId})`
}

/** Subquery. */
function boardsOf(projectId: number): RawBuilder<number> {
  return sql<number>`(select board.id from board where board.project_id = ${projectId})`
}

/**
 * Group labels that issues, merge requests or boards of the project have, that have a priority in it, or to which users
 * subscribed in it, of groups that are not above the project.
 */
export function foreignLabelsOfProject(tx: Transaction, projectId: number): Promise<LabelRow[]> {
  return tx
    .selectFrom('label')
    .selectAll()
    .where('group_id', 'is not', null)
    .where('group_id', 'not in', groupsAboveProject(projectId))
    .where(
      'id',
      'in',
      sql<number>`(
        select issue_label.label_id from issue_label where issue_label.issue_id in ${issuesOf(projectId)}
        union select merge_request_label.label_id from merge_request_label
          where merge_request_label.merge_request_id in ${mergeRequestsOf(projectId)}
        union select label_priority.label_id from label_priority where label_priority.project_id = ${projectId}
        union select label_subscription.label_id from label_subscription
          where label_subscription.project_id = ${projectId}
        union select board_label.label_id from board_label where board_label.board_id in ${boardsOf(projectId)}
        union select board_list.label_id from board_list
          where board_list.board_id in ${boardsOf(projectId)} and board_list.label_id is not null)`,
    )
    .orderBy('id')
    .execute()
}

/** Gives what one project has of a group label, as `foreignLabelsOfProject` says, to another label. */
export async function replaceLabelInProject(
  tx: Transaction,
  projectId: number,
  from: LabelRow,
  to: LabelRow,
): Promise<void> {
  await copyUses(tx, from.id, to.id, projectId)
  await replaceLabelOnBoards(tx, from.id, to.id, projectId)
  await moveLabelEvents(tx, from.id, to.id, projectId)
  await tx
    .deleteFrom('issue_label')
    .where('label_id', '=', from.id)
    .where('issue_id', 'in', issuesOf(projectId))
    .execute()
  await tx
    .deleteFrom('merge_request_label')
    .where('label_id', '=', from.id)
    .where('merge_request_id', 'in', mergeRequestsOf(projectId))
    .execute()
  const priority = (await prioritiesOf(tx, projectId, [from.id])).get(from.id)
  const present = (await prioritiesOf(tx, projectId, [to.id])).get(to.id)
  if (priority !== undefined && present === undefined) await setPriority(tx, projectId, to.id, priority)
  await setPriority(tx, projectId, from.id, null)
  const subscribers = await tx
    .deleteFrom('label_subscription')
    .where('label_id', '=', from.id)
    .where('project_id', '=', projectId)
    .returning('user_id')
    .execute()
  // A label of the project itself needs no project in its subscriptions.
  const at = to.project_id === null ? projectId : null
  for (const { user_id } of subscribers) {
    await addSubscription(tx, to.id, { userId: user_id, projectId: at })
  }
}
