import type { Database } from '../../database/connect.js'
import { findUser } from '../../hosting/repositories/store.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import type { NewMail } from '../../integrations/mail/mail-content.js'
import type { MailContext } from '../../integrations/mail/mail-context.js'
import type { NoticeRow } from '../../integrations/mail/notice-store.js'
import type { MailBody } from '../../integrations/mail/render-body.js'
import type { PlanningChange, PlanningFacts } from '../notices/mail-notices.js'
import { findPlanned, involvedIn, mentionedIn, type Planned } from './planned.js'
import { findRecipients, type Reason } from './recipients.js'
import { labelSubscribers } from './subscriptions.js'
import { threadMail } from './thread.js'

export interface MailWriting extends Pick<MailContext, 'externalUrl' | 'secrets'> {
  database: Database
}

/** Names of events in notification settings of the level `custom`, and who gets mails about the change. */
interface Rule {
  event: { issue: string | null; merge_request: string | null }
  forWatchers: boolean
  /** Only those whom the change itself names. */
  onlyNamed?: true
}

const RULES: Record<PlanningChange, Rule> = {
  opened: { event: { issue: 'new_issue', merge_request: 'new_merge_request' }, forWatchers: true },
  closed: { event: { issue: 'close_issue', merge_request: 'close_merge_request' }, forWatchers: true },
  reopened: { event: { issue: 'reopen_issue', merge_request: 'reopen_merge_request' }, forWatchers: true },
  merged: { event: { issue: null, merge_request: 'merge_merge_request' }, forWatchers: true },
  assigned: {
    event: { issue: 'reassign_issue', merge_request: 'reassign_merge_request' },
    forWatchers: true,
  },
  review_requested: {
    event: { issue: null, merge_request: 'change_reviewer_merge_request' },
    forWatchers: true,
  },
  auto_merge: { event: { issue: null, merge_request: 'merge_when_pipeline_succeeds' }, forWatchers: true },
  approved: { event: { issue: null, merge_request: 'approver' }, forWatchers: true },
  pushed: { event: { issue: null, merge_request: 'push_to_merge_request' }, forWatchers: false },
  due: { event: { issue: 'issue_due', merge_request: null }, forWatchers: false },
  labelled: { event: { issue: null, merge_request: null }, forWatchers: false, onlyNamed: true },
  mentioned: { event: { issue: null, merge_request: null }, forWatchers: false, onlyNamed: true },
}

/** The mails about a change of an issue or a merge request; none if it was deleted since. */
export async function writePlanningMails(
  deps: MailWriting,
  { kind, facts }: Pick<NoticeRow, 'facts'> & { kind: Planned['kind'] },
): Promise<NewMail[]> {
  const { database } = deps
  const { id, change, actorId, ...more } = facts as PlanningFacts
  const planned = await findPlanned(database, kind, id)
  if (!planned) return []
  const actor = actorId === null ? undefined : await findUser(database, actorId)
  const { event, forWatchers, onlyNamed } = RULES[change]
  const named = await namedBy(database, planned, { change, ...more })
  const others = onlyNamed ? new Map<number, Reason>() : await involvedIn(database, planned)
  const recipients = await findRecipients(database, {
    projectId: planned.project.id,
    event: event[kind],
    actorId,
    involved: new Map([...others, ...named]),
    subscriptions: onlyNamed ? unsubscribed(planned.subscriptions) : planned.subscriptions,
    forWatchers,
    isSeenBy: planned.target.isSeenBy,
  })
  if (recipients.length === 0) return []
  const name = actor?.name ?? 'Switchyard'
  const body = await bodyOf(database, planned, name, { change, ...more })
  const isFirst = change === 'opened'
  return Promise.all(
    recipients.map((recipient) =>
      threadMail(deps, planned, recipient, {
        fromName: actor?.name ?? null,
        body,
        ...(isFirst && { messageName: `${kind}_${id}` }),
      }),
    ),
  )
}

type Change = Pick<PlanningFacts, 'change' | 'previous' | 'labelIds' | 'textBefore'>

/** Who is concerned by the change itself, in addition to those who are involved. */
async function namedBy(
  database: Database,
  { project, row, assignees, reviewers, labels }: Planned,
  { change, previous = [], labelIds, textBefore }: Change,
): Promise<Map<number, Reason>> {
  const named = new Map<number, Reason>()
  if (change === 'opened' || change === 'labelled') {
    const ids = labelIds ?? labels.map(({ id }) => id)
    for (const id of await labelSubscribers(database, project.id, ids)) named.set(id, 'label')
  }
  if (change === 'assigned') for (const id of [...previous, ...assignees]) named.set(id, 'assigned')
  if (change === 'review_requested')
    for (const id of [...previous, ...reviewers]) named.set(id, 'review_requested')
  if (change === 'mentioned' || change === 'opened') {
    for (const id of await mentionedIn(database, row.description, textBefore)) named.set(id, 'mentioned')
  }
  if (change === 'opened') {
    for (const id of assignees) named.set(id, 'assigned')
    for (const id of reviewers) named.set(id, 'review_requested')
  }
  return named
}

/** Those who want no mails; who is subscribed gets mails about other changes. */
function unsubscribed(subscriptions: ReadonlyMap<number, boolean>): Map<number, boolean> {
  return new Map([...subscriptions].filter(([, isSubscribed]) => !isSubscribed))
}

type Body = Omit<MailBody, 'footer' | 'unsubscribeUrl' | 'link'>

async function bodyOf(database: Database, planned: Planned, actor: string, change: Change): Promise<Body> {
  const { row, name, reference } = planned
  const it = `${name} ${reference}`
  switch (change.change) {
    case 'opened':
      return {
        lead: [`${actor} created ${it}:`],
        details: await detailsOf(database, planned),
        markdown: row.description,
      }
    case 'mentioned':
      return { lead: [`${actor} mentioned you in ${it}:`], markdown: row.description }
    case 'assigned':
      return { lead: [await peopleLine(database, 'Assignees', change.previous, planned.assignees, actor)] }
    case 'review_requested':
      return { lead: [await peopleLine(database, 'Reviewers', change.previous, planned.reviewers, actor)] }
    case 'labelled':
      return { lead: [`${actor} added labels to ${it}: ${labelNames(planned, change.labelIds)}`] }
    case 'pushed':
      return { lead: [`${actor} pushed commits to ${it}.`] }
    case 'approved':
      return { lead: [`${actor} approved ${it}.`] }
    case 'auto_merge':
      return { lead: [`${actor} set ${it} to be merged when its pipeline succeeds.`] }
    case 'due':
      return { lead: [`The ${it} is due on ${'due_date' in row ? (row.due_date ?? '') : ''}.`] }
    case 'closed':
    case 'reopened':
    case 'merged':
      return { lead: [`${actor} ${change.change} ${it}.`] }
  }
}

async function detailsOf(database: Database, planned: Planned): Promise<[string, string][]> {
  const { assignees, reviewers, labels } = planned
  const branches: [string, string][] =
    planned.kind === 'merge_request'
      ? [['Branches', `${planned.row.source_branch} to ${planned.row.target_branch}`]]
      : []
  const details: [string, string][] = [
    ...branches,
    ['Assignees', await namesOf(database, assignees)],
    ['Reviewers', await namesOf(database, reviewers)],
    ['Labels', labels.map((label) => label.name).join(', ')],
  ]
  return details.filter(([, value]) => value !== '')
}

async function peopleLine(
  database: Database,
  role: string,
  before: readonly number[] = [],
  after: readonly number[],
  actor: string,
): Promise<string> {
  const [were, are] = [await namesOf(database, before), await namesOf(database, after)]
  const change = were === '' ? `are now ${are}` : `changed from ${were} to ${are === '' ? 'nobody' : are}`
  return `${role} ${change} (${actor}).`
}

async function namesOf(database: Database, ids: readonly number[]): Promise<string> {
  const users = await usersById(database, ids)
  return ids.flatMap((id) => users.get(id)?.name ?? []).join(', ')
}

function labelNames({ labels }: Planned, ids: readonly number[] = []): string {
  return labels.flatMap(({ id, name }) => (ids.includes(id) ? [name] : [])).join(', ')
}
