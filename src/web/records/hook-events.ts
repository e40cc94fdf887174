import type { GroupHook, Hook, SystemHook } from '../../coordinator/integrations/webhooks/schema.js'

/** A webhook of a project, of a group or of the instance. */
export type AnyHook = SystemHook & Partial<Hook> & Partial<GroupHook>

export type HookKind = 'project' | 'group' | 'system'

/** Name of the flag of an event, as in the API. */
export type HookEvent = Extract<keyof AnyHook, `${string}_events`>

interface EventWords {
  event: HookEvent
  label: string
  help: string
  /** Webhooks of these kinds have the event. */
  of: readonly HookKind[]
}

const ALL = ['project', 'group', 'system'] as const
const RECORDS = ['project', 'group'] as const

/** The events of webhooks, those that most webhooks have first. */
export const HOOK_EVENTS: readonly EventWords[] = [
  { event: 'push_events', label: 'Pushes', help: 'A push to a branch.', of: ALL },
  { event: 'tag_push_events', label: 'Tags', help: 'A tag is created or deleted.', of: ALL },
  { event: 'pipeline_events', label: 'Pipelines', help: 'The status of a pipeline changes.', of: RECORDS },
  { event: 'job_events', label: 'Jobs', help: 'The status of a job changes.', of: RECORDS },
  { event: 'deployment_events', label: 'Deployments', help: 'A deployment starts or ends.', of: RECORDS },
  {
    event: 'merge_requests_events',
    label: 'Merge requests',
    help: 'A merge request is created, changed or merged.',
    of: ALL,
  },
  { event: 'issues_events', label: 'Issues', help: 'An issue is created, changed or closed.', of: RECORDS },
  {
    event: 'confidential_issues_events',
    label: 'Confidential issues',
    help: 'A confidential issue is created, changed or closed.',
    of: RECORDS,
  },
  { event: 'note_events', label: 'Comments', help: 'A comment is written.', of: RECORDS },
  {
    event: 'confidential_note_events',
    label: 'Confidential comments',
    help: 'A comment on a confidential issue, or an internal note, is written.',
    of: RECORDS,
  },
  {
    event: 'releases_events',
    label: 'Releases',
    help: 'A release is created, changed or deleted.',
    of: RECORDS,
  },
  {
    event: 'wiki_page_events',
    label: 'Wiki pages',
    help: 'A wiki page is created, changed or deleted.',
    of: RECORDS,
  },
  {
    event: 'feature_flag_events',
    label: 'Feature flags',
    help: 'A feature flag is turned on or off.',
    of: RECORDS,
  },
  {
    event: 'milestone_events',
    label: 'Milestones',
    help: 'A milestone is created, closed, reopened or deleted.',
    of: RECORDS,
  },
  { event: 'emoji_events', label: 'Emoji reactions', help: 'A reaction is added or removed.', of: RECORDS },
  {
    event: 'repository_update_events',
    label: 'Repository updates',
    help: 'Each branch or tag that a push changes.',
    of: ALL,
  },
  { event: 'member_events', label: 'Members', help: 'A member is added, changed or removed.', of: ['group'] },
  { event: 'subgroup_events', label: 'Subgroups', help: 'A subgroup is created or deleted.', of: ['group'] },
  { event: 'project_events', label: 'Projects', help: 'A project is created or deleted.', of: ['group'] },
]

/** The events that webhooks of a kind have. */
export function eventsOf(kind: HookKind): readonly EventWords[] {
  return HOOK_EVENTS.filter(({ of }) => of.includes(kind))
}

/** Labels of the events that a webhook receives. */
export function chosenEvents(hook: AnyHook, kind: HookKind): string[] {
  return eventsOf(kind).flatMap(({ event, label }) => (hook[event] === true ? [label] : []))
}
