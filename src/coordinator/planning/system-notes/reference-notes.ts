import { groupBy } from '../../../lib/group-by.js'
import type { User } from '../../access/caller.js'
import type { FeatureLevel } from '../../database/tables/projects.js'
import { sameText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'
import type { NoteRow, PlannedOwner } from '../../hosting/note-store.js'
import { findProject, findUser } from '../../hosting/repositories/store.js'
import { visibleIssues } from '../access/visible-issues.js'
import { visibleMergeRequests } from '../access/visible-merge-requests.js'
import { findReferences } from '../references/find-references.js'
import { projectPathOf } from '../references/project-path.js'
import { ReferenceBudget } from '../references/reference-budget.js'
import type { ReferenceOf } from '../references/reference.js'
import type { TodoTarget } from '../stores/todo-store.js'
import { addSystemNotes } from './system-notes.js'

/** Maximum number of issues, and of merge requests, that are recorded as named by one text. */
const MAX_NAMED = 100
/** How many references of each kind are read of one text: the same thing may be named again and again. */
const MAX_REFERENCES = 1000

type Table = TodoTarget['table']
type Numbered = ReferenceOf<Table>

/** What is named: an issue or a merge request. */
export interface Named {
  table: Table
  id: number
  project_id: number
}

/** A place whose text names issues and merge requests. */
export interface NamingText {
  project: { id: number; full_path: string; visibility: string }
  /** Who may see the place, by a setting of the project. */
  featureLevel: FeatureLevel
  /** Whether only some of those who see the project see it. */
  isHidden: boolean
  /** What it is called in the texts of its project: `issue #4`. */
  kind: 'issue' | 'merge request' | 'commit'
  reference: string
  /** Finds the place when the note is read; for a commit its project. */
  namedBy: Partial<Pick<NoteRow, 'named_by_issue_id' | 'named_by_merge_request_id' | 'named_by_project_id'>>
}

/**
 * Adds a note to the issues and merge requests that a text of an issue or a merge request names and `author` sees.
 * `before` is the text that it replaces: what was named there gets none.
 */
export async function recordReferences(
  tx: Transaction,
  target: TodoTarget,
  author: Pick<User, 'id'>,
  { before, after }: { before?: string | null; after: string | null },
): Promise<void> {
  const added = addedReferences(before, after)
  if (added.length === 0) return
  const user = await findUser(tx, author.id)
  const naming = await describeTarget(tx, target)
  if (!user || !naming) return
  const named: Named[] = []
  for (const [path, references] of byProject(added, naming.project.full_path)) {
    named.push(...(await visibleAmong(tx, user, path, references)))
  }
  const others = named.filter(({ table, id }) => table !== target.table || id !== target.id)
  await addReferenceNotes(tx, naming, user.id, others)
}

/**
 * Adds a note to what a place names, unless there is one. Outside of the project of the place, only public places are
 * named, and hidden ones nowhere: those who see the note might not see the place.
 */
export async function addReferenceNotes(
  tx: Transaction,
  naming: NamingText,
  userId: number,
  named: readonly Named[],
): Promise<void> {
  if (naming.isHidden) return
  const isForAll = naming.project.visibility === 'public' && naming.featureLevel === 'enabled'
  for (const { table, id, project_id } of named) {
    const isBeside = project_id === naming.project.id
    if (!isBeside && !isForAll) continue
    const path = isBeside ? '' : naming.project.full_path
    const separator = naming.kind === 'commit' && !isBeside ? '@' : ''
    const body = `mentioned in ${naming.kind} ${path}${separator}${naming.reference}`
    const owner = { column: `${table}_id`, id } as const
    if (await isNoted(tx, owner, body)) continue
    const note = { action: 'cross_reference', body, columns: naming.namedBy }
    await addSystemNotes(tx, { owner, projectId: project_id, userId }, [note])
  }
}

async function isNoted(tx: Transaction, { column, id }: PlannedOwner, body: string): Promise<boolean> {
  const notes = tx.selectFrom('note').select('id').where(`note.${column}`, '=', id)
  const same = notes.where('action', '=', 'cross_reference').where('body', '=', body)
  return (await same.limit(1).executeTakeFirst()) !== undefined
}

/** What the new text names and the one before did not: each once, at most `MAX_NAMED` of each kind. */
function addedReferences(before: string | null | undefined, after: string | null): Numbered[] {
  const known = new Set(numberedIn(before).map(keyOf))
  const added = new Map(
    numberedIn(after)
      .filter((reference) => !known.has(keyOf(reference)))
      .map((reference) => [keyOf(reference), reference]),
  )
  const ofKind = (kind: Table) => [...added.values()].filter((one) => one.kind === kind).slice(0, MAX_NAMED)
  return [...ofKind('issue'), ...ofKind('merge_request')]
}

/** URLs are left out: a text is stored without the address of the instance. */
function numberedIn(text: string | null | undefined): Numbered[] {
  if (!text || !/[#!]\d/.test(text)) return []
  const wanted = new ReferenceBudget(['issue', 'merge_request'], MAX_REFERENCES)
  return findReferences(text, { externalUrl: '', wanted })
}

function keyOf({ kind, project = '', iid }: Numbered): string {
  return `${project}:${kind}:${iid}`
}

function byProject(references: readonly Numbered[], context: string): Map<string, Numbered[]> {
  return groupBy(references, (reference) => projectPathOf(reference, context) ?? context)
}

async function visibleAmong(
  tx: Transaction,
  user: User,
  path: string,
  references: readonly Numbered[],
): Promise<Named[]> {
  const project = await tx
    .selectFrom('project')
    .select('id')
    .where(({ ref }) => sameText(ref('full_path'), path))
    .executeTakeFirst()
  if (!project) return []
  const idsOf = async (table: Table) => {
    const iids = references.filter(({ kind }) => kind === table).map(({ iid }) => iid)
    if (iids.length === 0) return []
    const rows = await tx
      .selectFrom(table)
      .select('id')
      .where('project_id', '=', project.id)
      .where('iid', 'in', iids)
      .execute()
    return rows.map(({ id }) => id)
  }
  const issues = await visibleIssues(tx, user, await idsOf('issue'))
  const mergeRequests = await visibleMergeRequests(tx, user, await idsOf('merge_request'))
  return [
    ...issues.map(({ id, project_id }) => ({ table: 'issue' as const, id, project_id })),
    ...mergeRequests.map(({ id, project_id }) => ({ table: 'merge_request' as const, id, project_id })),
  ]
}

async function describeTarget(
  tx: Transaction,
  { table, id, project_id }: TodoTarget,
): Promise<NamingText | undefined> {
  const project = await findProject(tx, project_id)
  if (!project) return undefined
  if (table === 'issue') {
    const issue = await tx
      .selectFrom('issue')
      .select(['iid', 'confidential'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!issue) return undefined
    const featureLevel = project.issues_access_level
    const reference = `#${issue.iid}`
    const namedBy = { named_by_issue_id: id }
    return { project, featureLevel, isHidden: issue.confidential, kind: 'issue', reference, namedBy }
  }
  const row = await tx.selectFrom('merge_request').select('iid').where('id', '=', id).executeTakeFirst()
  return row && mergeRequestPlace(project, { id, iid: row.iid })
}

/** A merge request whose text names issues. */
export function mergeRequestPlace(
  project: NamingText['project'] & { merge_requests_access_level: FeatureLevel },
  { id, iid }: { id: number; iid: number },
): NamingText {
  const featureLevel = project.merge_requests_access_level
  return {
    project,
    featureLevel,
    isHidden: false,
    kind: 'merge request',
    reference: `!${iid}`,
    namedBy: { named_by_merge_request_id: id },
  }
}
