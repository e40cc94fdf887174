import { createHash } from 'node:crypto'

import { mapInOrder } from '../../../lib/map-in-order.js'
import { BulkImportError, SourceRecordError, UnavailableError } from '../errors.js'
import { copiesOf } from '../item-store.js'
import { apiPath, type EntityRun, record } from '../run.js'
import {
  type SourceDiscussion as Discussion,
  SourceDiscussion,
  type SourceNote,
  sourceReader,
} from '../source/records.js'
import { importRecords } from './list-step.js'
import { withOrigin } from './origin.js'
import { hasCommit, partNamed, targetOf } from './owners.js'

type Kind = 'issues' | 'merge_requests'

interface Discussed {
  id: number
  iid: number
  user_notes_count?: number | null | undefined
}

/** Issues or merge requests whose discussions are read at a time. */
const AT_ONCE = 4

const readDiscussion = sourceReader(SourceDiscussion)

/**
 * Imports the comments of issues or merge requests that were imported: now or before. Notes that record changes are left out,
 * since here they would be texts that anyone can have written.
 */
export async function importDiscussions(
  run: EntityRun,
  kind: Kind,
  all: readonly Discussed[],
): Promise<void> {
  const keys = all.map(({ id }) => String(id))
  const copies = await copiesOf(run.deps.database, run.bulkImport, run.entity, kind, keys)
  const discussed = all.filter(
    ({ id, user_notes_count }) => copies.has(String(id)) && (user_notes_count ?? 0) > 0,
  )
  const read = mapInOrder(discussed, AT_ONCE, async (owner) => ({
    owner,
    notes: await notesOf(run, kind, owner),
  }))
  for await (const { owner, notes } of read) await importNotes(run, kind, owner, notes)
}

interface Note extends SourceNote {
  /** The thread to which it belongs. */
  discussion_id: string
  isThread: boolean
}

async function notesOf(run: EntityRun, kind: Kind, { iid }: Discussed): Promise<Note[]> {
  const path = `${apiPath(run)}/${kind}/${iid}/discussions`
  const notes: Note[] = []
  try {
    for await (const { records } of run.client.list(path)) {
      for (const discussion of records) notes.push(...(await notesIn(run, kind, discussion)))
      if (notes.length > MAX_NOTES) throw new BulkImportError(`${path} has more than ${MAX_NOTES} comments`)
    }
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    const item = { kind: 'notes', source_key: `${kind}/${iid}`, name: `comments of ${kind}/${iid}` }
    await record(run, { ...item, outcome: 'left_out', reason: error.message })
  }
  return notes
}

/** Comments of one issue or merge request, which are held in memory. */
const MAX_NOTES = 20_000

async function notesIn(run: EntityRun, kind: Kind, value: unknown): Promise<Note[]> {
  try {
    const { id, notes } = readDiscussion(value)
    const ours = notes.filter(({ system }) => !system)
    return ours.map((note) => ({ ...note, discussion_id: threadId(run, id), isThread: notes.length > 1 }))
  } catch (error) {
    if (!(error instanceof SourceRecordError)) throw error
    const source_key = createHash('sha1').update(JSON.stringify(value)).digest('hex')
    await record(run, {
      kind: 'notes',
      source_key: `${kind}/${source_key}`,
      outcome: 'failed',
      reason: error.message,
    })
    return []
  }
}

/** That of the source, which has the same form; a made-up one of another form. */
function threadId({ bulkImport }: EntityRun, id: Discussion['id']): string {
  return /^[0-9a-f]{40}$/.test(id)
    ? id
    : createHash('sha1').update(`${bulkImport.source_url} ${id}`).digest('hex')
}

async function importNotes(
  run: EntityRun,
  kind: Kind,
  { iid }: Discussed,
  notes: readonly Note[],
): Promise<void> {
  const owner = kind === 'issues' ? { issue: iid } : { merge_request: iid }
  await importRecords(
    run,
    {
      kind: 'notes',
      keyOf: ({ id }) => id,
      nameOf: ({ id }) => `comment ${id} of ${kind === 'issues' ? '#' : '!'}${iid}`,
      write: async (_run, note, onWritten) => {
        const people = await run.people.authors(run.importer, [note.author, note.resolved_by])
        const value = { ...(await noteRecord(run, note, people)), ...owner }
        await partNamed(run, 'notes').write(targetOf(run, { people, onWritten }), value)
      },
    },
    notes,
  )
}

/** The comment as a record of an archive. */
async function noteRecord(run: EntityRun, note: Note, people: ReadonlyMap<string, number>) {
  const { author, resolved, resolved_by, resolved_at, created_at, updated_at, discussion_id } = note
  const position = note.type === 'DiffNote' ? await positionIn(run, note) : null
  const isThread = note.isThread || note.type === 'DiscussionNote' || note.type === 'DiffNote'
  return {
    discussion_id,
    type: position ? 'DiffNote' : isThread ? 'DiscussionNote' : null,
    body: withOrigin(run, note.body, author, people),
    // Without a name, the line about its origin is the only one.
    author: author && people.has(author.username) ? author.username : '',
    internal: note.internal ?? note.confidential ?? false,
    position,
    original_position: position,
    resolved_at: resolved ? (resolved_at ?? updated_at) : null,
    resolved_by: resolved_by && people.has(resolved_by.username) ? resolved_by.username : null,
    created_at,
    updated_at,
  }
}

const SHAS = ['base_sha', 'start_sha', 'head_sha'] as const

/** The line of the comment; null if the repository does not have its commits. */
async function positionIn(run: EntityRun, { position }: Note): Promise<Record<string, unknown> | null> {
  if (!position) return null
  for (const name of SHAS) {
    const sha = position[name]
    const isThere = typeof sha === 'string' && (await hasCommit(run, sha))
    if (!isThere) return null
  }
  return position
}
