import { addressOf } from '../../addresses/address-of.js'
import type { Event } from '../../coordinator/integrations/activity-events/schema.js'

/** A part of a sentence; with `href`, a link. */
export interface Words {
  text: string
  href?: string | undefined
  /** The text is a name of git. */
  isCode?: boolean
}

type Shown = Pick<
  Event,
  | 'action_name'
  | 'target_type'
  | 'target_iid'
  | 'target_title'
  | 'project_path'
  | 'push_data'
  | 'note'
  | 'wiki_page'
>

/**
 * What the author of an event did, after the name: "pushed to branch main in group/app".
 * @param hidesProject the reader knows the project, because all events are in it
 */
export function eventWords(event: Shown, hidesProject = false): Words[] {
  const { push_data: push, target_type: type, action_name: action, project_path: path } = event
  const project: Words = {
    text: path ?? 'a project',
    href: path === null ? undefined : addressOf('overview', { path }),
  }
  if (push || type !== null) {
    const words = push ? pushWords(event, push) : targetWords(event, type ?? '')
    return hidesProject ? words : [...words, { text: 'in' }, project]
  }
  return [{ text: ON_PROJECT[action] ?? action }, hidesProject ? { text: 'the project' } : project]
}

const ON_PROJECT: Record<string, string> = {
  'removed due to membership expiration from': 'lost an expired membership of',
}

function pushWords({ project_path: project }: Shown, push: NonNullable<Shown['push_data']>): Words[] {
  const { action, ref_type: type, ref, ref_count: count } = push
  const verb = { created: 'pushed new', pushed: 'pushed to', removed: 'deleted' }[action]
  if (count !== null && count > 1)
    return [{ text: `${verb} ${count} ${type === 'tag' ? 'tags' : 'branches'}` }]
  const name = ref ?? ''
  const page =
    project === null || action === 'removed'
      ? undefined
      : type === 'tag'
        ? addressOf('code/tag', { project, tag: name })
        : addressOf('code/commits', { project, ref_path: name })
  return [{ text: `${verb} ${type}` }, { text: name, href: page, isCode: true }]
}

interface Target {
  word: string
  page: 'issues/issue' | 'merge-requests/merge-request' | 'issues/milestone'
  mark: string
}

const TARGETS: Record<string, Target> = {
  Issue: { word: 'issue', page: 'issues/issue', mark: '#' },
  MergeRequest: { word: 'merge request', page: 'merge-requests/merge-request', mark: '!' },
  Milestone: { word: 'milestone', page: 'issues/milestone', mark: '%' },
}

function targetWords(
  {
    action_name: action,
    target_iid: iid,
    target_title: title,
    project_path: project,
    note,
    wiki_page: page,
  }: Shown,
  type: string,
): Words[] {
  if (note) return [...commentWords(note, project), ...(title ? [{ text: title }] : [])]
  if (page) return [{ text: `${action} wiki page ${page.title}` }]
  const target = TARGETS[type]
  if (!target) return [{ text: `${action} ${type}` }]
  return [
    { text: `${action} ${target.word}` },
    numberOf(target, iid, project),
    ...(title ? [{ text: title }] : []),
  ]
}

function commentWords(
  { id, noteable_type: type, noteable_iid: iid, commit_id: commit }: NonNullable<Shown['note']>,
  project: string | null,
): Words[] {
  if (commit !== undefined) {
    const href = project === null ? undefined : addressOf('code/commit', { project, sha: commit })
    return [{ text: 'commented on commit' }, { text: commit.slice(0, 8), href, isCode: true }]
  }
  const target = TARGETS[type]
  if (!target) return [{ text: 'commented on snippet' }]
  return [{ text: `commented on ${target.word}` }, numberOf(target, iid, project, `#note_${id}`)]
}

/** The number of a target, as a link to its page. */
function numberOf({ page, mark }: Target, iid: number | null, project: string | null, hash = ''): Words {
  const href =
    project === null || iid === null ? undefined : addressOf(page, { project, iid: String(iid) }, {}, hash)
  return { text: `${mark}${iid ?? ''}`, href }
}

/** The commits of a push as a line below it: how many, and where they are compared. */
export function pushedCommits({
  push_data: push,
  project_path: project,
}: Shown): (Words & { title: string }) | undefined {
  if (!push || project === null || push.commit_to === null || push.commit_title === null) return undefined
  const { commit_from: from, commit_to: to, commit_title: title, commit_count: count } = push
  if (from === null || count <= 1) {
    return { text: to.slice(0, 8), href: addressOf('code/commit', { project, sha: to }), isCode: true, title }
  }
  const revisions = `${from.slice(0, 12)}...${to.slice(0, 12)}`
  return { text: `${count} commits`, href: addressOf('code/compare', { project, revisions }), title }
}
