import type { User } from '../../access/caller.js'
import { findNotesById, type NoteRow } from '../../hosting/note-store.js'
import { findProject, findUser } from '../../hosting/repositories/store.js'
import type { NewMail } from '../../integrations/mail/mail-content.js'
import { projectHeaders } from '../../integrations/mail/project-headers.js'
import { hostOf } from '../../integrations/mail/queue-mail.js'
import { renderBody } from '../../integrations/mail/render-body.js'
import { noticedMergeRequest } from '../notices/add-todos.js'
import type { NoteFacts } from '../notices/mail-notices.js'
import { findPlanned, involvedIn, isReporter, mentionedIn } from './planned.js'
import type { MailWriting } from './planning-mails.js'
import { findRecipients, type Reason, REASONS } from './recipients.js'
import { threadMail } from './thread.js'

/** The mails about a comment; none if it was deleted since. */
export async function writeNoteMails(deps: MailWriting, facts: object): Promise<NewMail[]> {
  const { database } = deps
  const { id: noteId, otherIds = [] } = facts as NoteFacts
  const [note, ...others] = await findNotesById(database, [noteId, ...otherIds])
  const author = note && (await findUser(database, note.author_id))
  if (!note || !author) return []
  if (note.commit_sha !== null) return ofCommit(deps, note, note.commit_sha, author)
  const [kind, id] =
    note.issue_id === null
      ? ['merge_request' as const, note.merge_request_id]
      : ['issue' as const, note.issue_id]
  const planned = id === null ? undefined : await findPlanned(database, kind, id)
  if (!planned) return []
  const { project, target, subscriptions } = planned
  const recipients = await findRecipients(database, {
    projectId: project.id,
    event: 'new_note',
    actorId: author.id,
    involved: await involvedIn(database, planned, [note, ...others].map(({ body }) => body).join('\n')),
    subscriptions,
    forWatchers: true,
    isSeenBy: async (store, user) =>
      (await target.isSeenBy(store, user)) && (!note.internal || (await isReporter(store, project.id, user))),
  })
  const body =
    others.length === 0
      ? { lead: [`${author.name} commented${describeLine(note)}:`], markdown: note.body }
      : reviewBody(author.name, [note, ...others])
  return Promise.all(
    recipients.map((recipient) =>
      threadMail(deps, planned, recipient, {
        fromName: author.name,
        body,
        fragment: `note_${note.id}`,
        messageName: `note_${note.id}`,
      }),
    ),
  )
}

/** Most comments of a review, and most characters of them, that are in its mail. */
const MAX_COMMENTS = 50
const MAX_CHARACTERS = 200_000

/** What a mail says of comments that were published together. */
function reviewBody(author: string, notes: readonly NoteRow[]) {
  const shown = firstOf(notes)
  const left = notes.length - shown.length
  return {
    lead: [`${author} commented ${notes.length} times:`],
    sections: shown.map((note) => ({ lead: `Comment${describeLine(note)}:`, markdown: note.body })),
    ...(left > 0 && { more: `${left} more ${left === 1 ? 'comment is' : 'comments are'} left out here.` }),
  }
}

/** As many as a mail may have; at least one. */
function firstOf(notes: readonly NoteRow[]): NoteRow[] {
  const shown: NoteRow[] = []
  let characters = 0
  for (const note of notes.slice(0, MAX_COMMENTS)) {
    characters += note.body.length
    if (characters > MAX_CHARACTERS && shown.length > 0) break
    shown.push(note)
  }
  return shown
}

function describeLine({ position, internal }: NoteRow): string {
  const path = position?.new_path ?? position?.old_path
  const where = path ? ` on ${path}` : ''
  return `${where}${internal ? ' (internal note)' : ''}`
}

/** Those who are mentioned, and those who watch the project. */
async function ofCommit(
  { database, externalUrl }: MailWriting,
  note: NoteRow,
  sha: string,
  author: User,
): Promise<NewMail[]> {
  const project = note.project_id === null ? undefined : await findProject(database, note.project_id)
  if (!project) return []
  const mentioned = await mentionedIn(database, note.body)
  const recipients = await findRecipients(database, {
    projectId: project.id,
    event: 'new_note',
    actorId: author.id,
    involved: new Map(mentioned.map((id): [number, Reason] => [id, 'mentioned'])),
    subscriptions: new Map(),
    forWatchers: true,
    // Merge requests show code, as commits do.
    isSeenBy: noticedMergeRequest({ id: 0, project_id: project.id }).isSeenBy,
  })
  const host = hostOf(externalUrl)
  return Promise.all(
    recipients.map(async ({ user, to, reason }) => ({
      userId: user.id,
      to,
      fromName: author.name,
      subject: `Re: ${project.name} | Commit ${sha.slice(0, 8)}`,
      ...(await renderBody({
        lead: [`${author.name} commented on commit ${sha.slice(0, 8)}:`],
        markdown: note.body,
        link: {
          label: 'View this commit',
          url: `${externalUrl}/${project.full_path}/-/commit/${sha}#note_${note.id}`,
        },
        footer: [`You receive this mail because ${REASONS[reason]}.`],
      })),
      messageId: `note_${note.id}@${host}`,
      inReplyTo: `commit_${sha}@${host}`,
      headers: { ...projectHeaders(project, host), 'X-GitLab-NotificationReason': reason },
    })),
  )
}
