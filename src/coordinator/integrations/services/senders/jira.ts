import type { OutgoingMessage, RequestMessage } from '../../webhooks/deliveries/outgoing-message.js'
import { Fields } from '../fields.js'
import { closedKeys, issueKeys } from '../issue-keys.js'
import { basic, type Settings } from '../settings.js'
import { type Happening, JSON_BODY, type Sender } from './sender.js'

/** Transition to the closed state in the default workflow. */
const DEFAULT_TRANSITION = '2'
/** Characters of the name of this instance in an ID, which has 255 at most. */
const MAX_HOST_LENGTH = 150
const MAX_TITLE_LENGTH = 255
/** Requests for one event. */
const MAX_REQUESTS = 100

/** Comments on issues that commits and merge requests name and links them, and closes those that reach the default branch. */
export const jira: Sender = {
  send: (happening) => {
    const mentions = mentionsIn(happening)
    return mentions.flatMap((mention) => messagesFor(happening.settings, mention)).slice(0, MAX_REQUESTS)
  },
  test: (settings) => [
    { kind: 'request', method: 'GET', url: `${apiOf(settings)}/serverInfo`, headers: headersOf(settings) },
  ],
}

/** A commit or merge request that names issues. */
interface Mention {
  /** Keys that get a link, and a comment if comments are wanted. */
  named: string[]
  /** Keys that are closed, and get another comment. */
  closed: string[]
  hasComments: boolean
  /** `a commit`. */
  what: string
  /** Of a commit or merge request. */
  name: string
  title: string
  url: string
  /** Identifies it among everything that Jira links to. */
  globalId: string
  by: { name: string; url: string }
  project: string
  /** Public URL of this instance. */
  instance: string
}

function mentionsIn({ event, wants }: Happening): Mention[] {
  const kind = event.text('object_kind')
  const hasComments = wants('comment_on_event_enabled')
  if (kind === 'push') return commitMentions(event, { hasComments, isNamed: wants('commit_events') })
  if (kind === 'merge_request')
    return mergeRequestMention(event, { hasComments, isNamed: wants('merge_requests_events') })
  return []
}

/** The choices of the settings: whether to comment, and whether to handle issues that are named but not closed. */
interface Wanted {
  hasComments: boolean
  isNamed: boolean
}

function commitMentions(event: Fields, wanted: Wanted): Mention[] {
  const { project, instance, defaultBranch, globalId } = readProject(event)
  const isDefault = event.text('ref') === `refs/heads/${defaultBranch}`
  const by = { name: event.text('user_name'), url: `${instance}/${event.text('user_username')}` }
  return event.list('commits').map((commit) => {
    const message = commit.text('message')
    const closed = isDefault ? closedKeys(message) : []
    return {
      ...keysOf(issueKeys(message), closed, wanted),
      what: 'a commit',
      name: commit.text('id').slice(0, 8),
      title: commit.text('title'),
      url: commit.text('url'),
      globalId: `${globalId}&commit=${commit.text('id')}`,
      by,
      project,
      instance,
    }
  })
}

function mergeRequestMention(event: Fields, wanted: Wanted): Mention[] {
  const { project, instance, defaultBranch, globalId } = readProject(event)
  const request = event.at('object_attributes')
  const text = `${request.text('title')}\n${request.text('description')}`
  const action = request.text('action')
  const isMerged = action === 'merge' && request.text('target_branch') === defaultBranch
  const closed = isMerged ? closedKeys(text) : []
  const user = event.at('user')
  return [
    {
      ...keysOf(newKeys(event, action, text), closed, wanted),
      what: 'a merge request',
      name: `!${request.text('iid')}`,
      title: request.text('title'),
      url: request.text('url'),
      globalId: `${globalId}&merge_request=${request.text('iid')}`,
      by: { name: user.text('name'), url: `${instance}/${user.text('username')}` },
      project,
      instance,
    },
  ]
}

/** The keys of a merge request that was opened, and those that an edit has added. */
function newKeys(event: Fields, action: string, text: string): string[] {
  if (action === 'open' || action === 'reopen') return issueKeys(text)
  if (action !== 'update') return []
  const changes = event.at('changes')
  const now = event.at('object_attributes')
  const before = ['title', 'description'].map((name) =>
    changes.has(name) ? changes.at(name).text('previous') : now.text(name),
  )
  const known = new Set(issueKeys(before.join('\n')))
  return issueKeys(text).filter((key) => !known.has(key))
}

function keysOf(named: string[], closed: string[], { hasComments, isNamed }: Wanted) {
  return {
    named: isNamed ? named.filter((key) => !closed.includes(key)) : [],
    closed,
    hasComments: hasComments && isNamed,
  }
}

function readProject(event: Fields) {
  const project = event.at('project')
  const path = project.text('path_with_namespace')
  const url = project.text('web_url')
  /** Public URL of this instance. */
  const instance = url.slice(0, -path.length - 1)
  return {
    project: path,
    instance,
    globalId: `${new URL(instance).host.slice(0, MAX_HOST_LENGTH)}&project=${project.text('id')}`,
    defaultBranch: project.text('default_branch'),
  }
}

function messagesFor(settings: Settings, mention: Mention): OutgoingMessage[] {
  return [
    ...mention.named.map((key) => tell(settings, key, mention, mentionText(mention))),
    ...mention.closed.flatMap((key) => [
      ...transition(settings, key),
      tell(settings, key, mention, solvedText(mention)),
    ]),
  ]
}

function mentionText({ by, what, url, project, title }: Mention): string {
  return `${link(by)} mentioned this issue in ${link({ name: `${what} of ${project}`, url })}:\n{quote}${escaped(title)}{quote}`
}

function solvedText({ name, url }: Mention): string {
  return `Issue solved with ${link({ name, url })}.`
}

/** A link in the markup of Jira. */
function link({ name, url }: { name: string; url: string }): string {
  return `[${escaped(name)}|${url}]`
}

function escaped(text: string): string {
  return text.replaceAll(/[[\]{}|\\*_]/g, '\\$&')
}

/**
 * A comment, unless the issue has the same one, as when a commit is pushed to a second branch; and a link, of which an
 * issue has one for each `globalId`.
 */
function tell(settings: Settings, key: string, mention: Mention, body: string): OutgoingMessage {
  const issue = `${apiOf(settings)}/issue/${key}`
  const comments = [post(settings, `${issue}/comment`, { body })]
  const isCommented = (found: string) => !mention.hasComments || commentsIn(found).includes(plain(body))
  return {
    kind: 'lookup',
    url: `${issue}?fields=comment`,
    headers: headersOf(settings),
    follow: (found) => [
      ...(isCommented(found) ? [] : comments),
      // Not every account may link issues, and Jira may have no links at all.
      { ...post(settings, `${issue}/remotelink`, remoteLink(mention)), mayBeRefused: true },
    ],
  }
}

/** All fields each time: Jira empties those that are missing. */
function remoteLink({ globalId, name, title, url, project, instance }: Mention): object {
  const icon = { url16x16: `${instance}/favicon.svg`, title: 'Switchyard' }
  const shown = `${project}${name.startsWith('!') ? '' : '@'}${name}: ${title}`
  return {
    globalId,
    relationship: 'mentioned on',
    object: { url, title: shown.slice(0, MAX_TITLE_LENGTH), icon },
  }
}

/** Empty if the response was too long to be read. */
function commentsIn(found: string): string[] {
  const comments = fieldsIn(found).at('comment').list('comments')
  return comments.map((one) => plain(one.text('body')))
}

function plain(body: string): string {
  return body.replaceAll(/\s+/g, ' ').trim()
}

/** All transitions one after the other, unless the issue is resolved already. */
function transition(settings: Settings, key: string): OutgoingMessage[] {
  const issue = `${apiOf(settings)}/issue/${key}`
  const ids = settings.text('jira_issue_transition_id').match(/\d+/g) ?? [DEFAULT_TRANSITION]
  const requests = ids.map((id) => post(settings, `${issue}/transitions`, { transition: { id } }))
  return [
    {
      kind: 'lookup',
      url: `${issue}?fields=resolution`,
      headers: headersOf(settings),
      follow: (found) => (fieldsIn(found).has('resolution') ? [] : requests),
    },
  ]
}

function fieldsIn(found: string): Fields {
  return Fields.parse(found).at('fields')
}

function post(settings: Settings, url: string, body: object): RequestMessage {
  return { kind: 'request', method: 'POST', url, headers: headersOf(settings), body: JSON.stringify(body) }
}

function apiOf(settings: Settings): string {
  return `${settings.base('api_url') || settings.base('url')}/rest/api/2`
}

function headersOf(settings: Settings): Record<string, string> {
  return {
    ...JSON_BODY,
    Accept: 'application/json',
    ...basic(settings.text('username'), settings.text('password')),
  }
}
