import type { Fields } from './fields.js'

/** An event in the words of a message. Texts are Markdown without links, which formats add. */
export interface Message {
  /** What has happened, in one line. */
  summary: string
  /** URL of what it happened to; empty if there is none. */
  url: string
  /** Details, a line each. */
  lines: { text: string; url: string }[]
  project: { name: string; url: string }
  color: 'good' | 'warning' | 'danger' | 'neutral'
  /** The branch that it is about; undefined for other events. */
  branch: string | undefined
  /** The channel property of chat services that is meant for it. */
  channel: string | undefined
}

const ZEROS = /^0{40}$/

/** Undefined for an event that messages leave out: a job or a pipeline that is still running. */
export function describeEvent(event: Fields): Message | undefined {
  const message = describers[event.text('object_kind')]?.(event)
  const project = event.at('project')
  return (
    message && {
      url: '',
      lines: [],
      color: 'neutral',
      branch: undefined,
      channel: undefined,
      ...message,
      project: { name: project.text('path_with_namespace'), url: project.text('web_url') },
    }
  )
}

type Described = Pick<Message, 'summary'> & Partial<Omit<Message, 'project'>>

const describers: Record<string, (event: Fields) => Described | undefined> = {
  push: (event) => describePush(event, 'branch'),
  tag_push: (event) => describePush(event, 'tag'),
  issue: (event) => {
    const { action, iid, title, url } = subjectOf(event)
    const isConfidential = event.at('object_attributes').flag('confidential')
    const channel = isConfidential ? 'confidential_issue_channel' : 'issue_channel'
    return { summary: `${userOf(event)} ${action} issue #${iid}: ${title}`, url, channel }
  },
  merge_request: (event) => {
    const { action, iid, title, url } = subjectOf(event)
    const summary = `${userOf(event)} ${action} merge request !${iid}: ${title}`
    return { summary, url, channel: 'merge_request_channel' }
  },
  note: (event) => {
    const note = event.at('object_attributes')
    const type = note.text('noteable_type')
    const names: Record<string, string> = {
      Issue: `issue #${event.at('issue').text('iid')}`,
      MergeRequest: `merge request !${event.at('merge_request').text('iid')}`,
      Snippet: `snippet $${event.at('snippet').text('id')}`,
      Commit: `commit ${event.at('commit').text('id').slice(0, 8)}`,
    }
    const name = names[type] ?? 'a commit'
    const isConfidential = event.text('event_type') === 'confidential_note'
    return {
      summary: `${userOf(event)} commented on ${name}`,
      url: note.text('url'),
      lines: [{ text: firstLine(note.text('note')), url: '' }],
      channel: isConfidential ? 'confidential_note_channel' : 'note_channel',
    }
  },
  pipeline: (event) => {
    const pipeline = event.at('object_attributes')
    const status = pipeline.text('status')
    if (status !== 'success' && status !== 'failed') return undefined
    const ref = pipeline.text('ref')
    const outcome = status === 'success' ? 'has passed' : 'has failed'
    return {
      summary: `Pipeline #${pipeline.text('id')} of ${pipeline.flag('tag') ? 'tag' : 'branch'} ${ref} by ${userOf(event)} ${outcome}`,
      url: pipeline.text('url'),
      color: status === 'success' ? 'good' : 'danger',
      branch: pipeline.flag('tag') ? undefined : ref,
      channel: 'pipeline_channel',
    }
  },
  build: (event) => {
    const status = event.text('build_status')
    if (status !== 'success' && status !== 'failed') return undefined
    return {
      summary: `Job ${event.text('build_name')} of ${event.text('ref')} ${status === 'success' ? 'has passed' : 'has failed'}`,
      color: status === 'success' ? 'good' : 'danger',
      branch: event.flag('tag') ? undefined : event.text('ref'),
    }
  },
  deployment: (event) => ({
    summary: `Deployment to ${event.text('environment')}: ${event.text('status')}`,
    url: event.text('deployable_url'),
    color:
      event.text('status') === 'success' ? 'good' : event.text('status') === 'failed' ? 'danger' : 'neutral',
    channel: 'deployment_channel',
  }),
  wiki_page: (event) => {
    const page = event.at('object_attributes')
    const action = ACTIONS[page.text('action')] ?? 'updated'
    const summary = `${userOf(event)} ${action} wiki page ${page.text('title')}`
    const lines = [{ text: firstLine(page.text('message')), url: '' }]
    return { summary, url: page.text('url'), lines, channel: 'wiki_page_channel' }
  },
  release: (event) => ({
    summary: `Release ${event.text('name')}: ${event.text('action')}`,
    url: event.text('url'),
  }),
}

function describePush(event: Fields, kind: 'branch' | 'tag'): Described {
  const name = event.text('ref').replace(/^refs\/(heads|tags)\//, '')
  const [before, after] = [event.text('before'), event.text('after')]
  const who = event.text('user_name')
  const project = event.at('project').text('web_url')
  const channel = kind === 'tag' ? 'tag_push_channel' : 'push_channel'
  const branch = kind === 'branch' ? name : undefined
  if (ZEROS.test(after)) return { summary: `${who} removed ${kind} ${name}`, url: project, channel, branch }
  const url = `${project}/-/tree/${encodeURIComponent(name)}`
  const total = Number(event.text('total_commits_count'))
  const summary = ZEROS.test(before)
    ? `${who} pushed new ${kind} ${name}`
    : `${who} pushed ${total} ${total === 1 ? 'commit' : 'commits'} to ${kind} ${name}`
  const lines = event.list('commits').map((commit) => ({
    text: `${commit.text('id').slice(0, 8)}: ${firstLine(commit.text('message'))} - ${commit.at('author').text('name')}`,
    url: commit.text('url'),
  }))
  return { summary, url, lines, channel, branch }
}

const ACTIONS: Record<string, string> = {
  create: 'created',
  delete: 'deleted',
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
  unapproved: 'took back the approval of',
  approval: 'approved',
  unapproval: 'took back the approval of',
}

function subjectOf(event: Fields) {
  const subject = event.at('object_attributes')
  const action = ACTIONS[subject.text('action')] ?? 'updated'
  return { action, iid: subject.text('iid'), title: subject.text('title'), url: subject.text('url') }
}

function userOf(event: Fields): string {
  return event.at('user').text('name')
}

const MAX_LINE_LENGTH = 200

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line
}
