import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { loadSimpleFacts } from '../../hosting/projects/record/present-facts.js'
import { presentSimpleProject } from '../../hosting/projects/record/present.js'
import { type Milestone, milestonesById } from '../../http/presenters/present-milestone.js'
import { presentUser, type PublicUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { labelDetails } from '../labels/label-details.js'
import { type BoardListRow, listsOfBoards } from '../stores/board-list-store.js'
import { availableMilestones, type BoardRow, labelsOfBoards } from '../stores/board-store.js'
import { type LabelRow, labelsById } from '../stores/label-store.js'
import type { BoardScope } from './owner-routes.js'
import type { Board, BoardList } from './schema.js'

export interface PresentDeps {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Records of boards of one owner, in the order of the rows; the number of queries does not depend on their number. */
export async function presentBoards(
  deps: PresentDeps,
  { owner, of }: BoardScope,
  rows: readonly BoardRow[],
): Promise<Board[]> {
  const ids = rows.map(({ id }) => id)
  const lists = await listsOfBoards(deps.database, owner, ids)
  const labels = await labelsOfBoards(deps.database, owner, ids)
  const milestones = await availableMilestones(
    deps.database,
    owner,
    rows.flatMap(({ milestone_id }) => milestone_id ?? []),
  )
  const named = await namedBy(deps, [...rows, ...[...lists.values()].flat()])
  const place = await presentOwner(deps, of)
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      name: row.name,
      hide_backlog_list: row.hide_backlog_list,
      hide_closed_list: row.hide_closed_list,
      ...place,
      milestone: milestones.has(row.milestone_id ?? 0) ? named.milestone(row.milestone_id) : null,
      assignee: named.user(row.assignee_id),
      labels: await Promise.all((labels.get(row.id) ?? []).map(labelDetails)),
      weight: row.weight,
      lists: await withPositions(lists.get(row.id) ?? [], named),
    })),
  )
}

/** Records of all lists of one board, in their order. */
export async function presentLists(deps: PresentDeps, rows: readonly BoardListRow[]): Promise<BoardList[]> {
  return withPositions(rows, await namedBy(deps, rows))
}

/** Positions are those among the lists that are shown, without gaps. */
function withPositions(rows: readonly BoardListRow[], named: Named): Promise<BoardList[]> {
  return Promise.all(rows.map((row, position) => presentList(row, position, named)))
}

async function presentList(row: BoardListRow, position: number, named: Named): Promise<BoardList> {
  const label = named.label(row.label_id)
  return {
    id: row.id,
    label: label ? await labelDetails(label) : null,
    assignee: named.user(row.assignee_id),
    milestone: named.milestone(row.milestone_id),
    position,
    max_issue_count: 0,
    max_issue_weight: 0,
    limit_metric: null,
  }
}

/** The records that rows name. */
interface Named {
  label: (id: number | null) => LabelRow | null
  user: (id: number | null) => PublicUser | null
  milestone: (id: number | null) => Milestone | null
}

interface Naming {
  label_id?: number | null
  assignee_id: number | null
  milestone_id: number | null
}

async function namedBy({ database, externalUrl }: PresentDeps, rows: readonly Naming[]): Promise<Named> {
  const [labels, users, milestones] = await Promise.all([
    labelsById(
      database,
      rows.map(({ label_id = null }) => label_id),
    ),
    usersById(
      database,
      rows.map(({ assignee_id }) => assignee_id),
    ),
    milestonesById(
      database,
      externalUrl,
      rows.map(({ milestone_id }) => milestone_id),
    ),
  ])
  const present = (user: User | undefined) => (user ? presentUser(user, externalUrl) : null)
  return {
    label: (id) => labels.get(id ?? 0) ?? null,
    user: (id) => present(users.get(id ?? 0)),
    milestone: (id) => milestones.get(id ?? 0) ?? null,
  }
}

async function presentOwner(
  { database, externalUrl }: PresentDeps,
  of: BoardScope['of'],
): Promise<Pick<Board, 'project' | 'group'>> {
  if ('group' in of) {
    const { id, name, full_path } = of.group
    return { project: null, group: { id, name, web_url: `${externalUrl}/groups/${full_path}` } }
  }
  const facts = await loadSimpleFacts(database, [of.project])
  return { project: presentSimpleProject(of.project, facts(of.project), externalUrl), group: null }
}
