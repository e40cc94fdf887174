import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import { lockRow } from '../../database/lock-row.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { milestonesForProject } from '../../hosting/milestone-store.js'
import { type TransferPart, transferPart, type TransferTarget } from '../../http/archive-part.js'
import { apiError, invalidRecord } from '../../http/errors.js'
import { Nullable } from '../../http/parameters/types.js'
import { type BoardListSubject, insertList, listsOfBoards } from '../stores/board-list-store.js'
import {
  type BoardRow,
  countBoards,
  insertBoard,
  labelsOfBoards,
  setBoardLabels,
} from '../stores/board-store.js'
import { findLabel } from '../stores/label-store.js'
import { peopleNamed, Username } from '../transfer/transferred-people.js'
import { checkedName, MAX_BOARDS } from './boards.js'
import { MAX_LISTS } from './lists.js'
import { CreateBoard } from './schema.js'

const Named = Nullable(Type.String({ maxLength: 255 }))
const { name, hide_backlog_list, hide_closed_list, weight } = CreateBoard.properties

const Subject = Type.Object({ label: Named, milestone: Named, assignee: Nullable(Username) })
const Transferred = Type.Object({
  name,
  hide_backlog_list,
  hide_closed_list,
  weight,
  milestone: Named,
  assignee: Nullable(Username),
  labels: Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1000 }),
  lists: Type.Array(Subject, { maxItems: MAX_LISTS }),
})

/**
 * Export and import of the boards of a project. What a board or a list names is left out if the project does not have it:
 * labels and milestones of groups that are others elsewhere, and people without an administrator.
 */
export function boardPart(database: Database): TransferPart {
  return transferPart({
    name: 'boards',
    schema: Transferred,
    read: async function* ({ id }) {
      const boards = inPages(database.selectFrom('board').selectAll().where('project_id', '=', id), 'board')
      for await (const board of boards) yield recordOf(database, id, board)
    },
    // Boards may have the same name.
    identityOf: (board) => board,
    write: (target, board) =>
      inTransaction(database, async (tx) => {
        const owner = { project_id: target.project.id }
        await lockRow(tx, 'project', owner.project_id)
        if ((await countBoards(tx, owner)) >= MAX_BOARDS)
          throw apiError('too_many_boards', { max: MAX_BOARDS })
        const { labels, lists, milestone, assignee, ...settings } = board
        const find = await finderFor(tx, target, [assignee, ...lists.map((list) => list.assignee)])
        const row = await insertBoard(tx, owner, {
          ...settings,
          name: checkedName(settings.name),
          milestone_id: await find.milestone(milestone),
          assignee_id: find.person(assignee),
        })
        const labelIds = new Set<number>()
        for (const label of labels) {
          const id = await find.label(label)
          if (id !== null) labelIds.add(id)
        }
        await setBoardLabels(tx, row.id, [...labelIds])
        for (const list of lists) {
          if (Object.values(list).filter((each) => each !== null).length !== 1)
            throw invalidRecord({ lists: ['name not exactly one label, milestone or assignee each'] })
          const subject = {
            label_id: await find.label(list.label),
            milestone_id: await find.milestone(list.milestone),
            assignee_id: find.person(list.assignee),
          }
          if (isKnown(subject)) await insertList(tx, row.id, subject)
        }
      }),
  })
}

function isKnown(subject: BoardListSubject): boolean {
  return Object.values(subject).some((id) => id !== null)
}

async function finderFor(tx: Transaction, target: TransferTarget, names: readonly (string | null)[]) {
  const { project, importer } = target
  const people = await peopleNamed(tx, target, names)
  return {
    person: (username: string | null) => (username === null ? null : (people.get(username) ?? null)),
    label: async (title: string | null) => {
      if (title === null) return null
      const search = { ancestorsFor: { viewer: importer } }
      return (await findLabel(tx, { project_id: project.id }, { name: title }, search))?.id ?? null
    },
    milestone: async (title: string | null) =>
      title === null
        ? null
        : ((await milestonesForProject(tx, project.id, { titles: [title] }))[0]?.id ?? null),
  }
}

async function recordOf(database: Database, project_id: number, board: BoardRow) {
  const owner = { project_id }
  const labels = (await labelsOfBoards(database, owner, [board.id])).get(board.id) ?? []
  const lists = (await listsOfBoards(database, owner, [board.id])).get(board.id) ?? []
  const names = await namesOf(database, [board, ...lists])
  return {
    name: board.name,
    hide_backlog_list: board.hide_backlog_list,
    hide_closed_list: board.hide_closed_list,
    weight: board.weight,
    milestone: names.milestones.get(board.milestone_id ?? 0) ?? null,
    assignee: names.people.get(board.assignee_id ?? 0) ?? null,
    labels: labels.map((label) => label.name),
    lists: lists.map((list) => ({
      label: names.labels.get(list.label_id ?? 0) ?? null,
      milestone: names.milestones.get(list.milestone_id ?? 0) ?? null,
      assignee: names.people.get(list.assignee_id ?? 0) ?? null,
    })),
  }
}

type Naming = { label_id?: number | null; milestone_id: number | null; assignee_id: number | null }

/** What rows name, by ID. */
async function namesOf(database: Database, rows: readonly Naming[]) {
  const idsOf = (column: keyof Naming) => rows.flatMap((row) => row[column] ?? [])
  const labels = await database
    .selectFrom('label')
    .select(['id', 'name'])
    .where('id', 'in', [0, ...idsOf('label_id')])
    .execute()
  const milestones = await database
    .selectFrom('milestone')
    .select(['id', 'title as name'])
    .where('id', 'in', [0, ...idsOf('milestone_id')])
    .execute()
  const people = await database
    .selectFrom('user')
    .select(['id', 'username as name'])
    .where('id', 'in', [0, ...idsOf('assignee_id')])
    .execute()
  const byId = (named: readonly { id: number; name: string }[]) =>
    new Map(named.map((row) => [row.id, row.name]))
  return { labels: byId(labels), milestones: byId(milestones), people: byId(people) }
}
