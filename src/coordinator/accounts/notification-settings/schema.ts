import { type Static, Type } from 'typebox'

import { described, flag, optional } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'

/** Events of the level `custom`. */
const EVENTS = {
  new_note: 'comments',
  new_issue: 'new issues',
  reopen_issue: 'issues that are reopened',
  close_issue: 'issues that are closed',
  reassign_issue: 'issues that are assigned',
  issue_due: 'issues that are due tomorrow',
  new_merge_request: 'new merge requests',
  push_to_merge_request: 'pushes to merge requests',
  reopen_merge_request: 'merge requests that are reopened',
  close_merge_request: 'merge requests that are closed',
  reassign_merge_request: 'merge requests that are assigned',
  change_reviewer_merge_request: 'merge requests for review',
  merge_merge_request: 'merges',
  merge_when_pipeline_succeeds: 'merges that wait for a pipeline',
  failed_pipeline: 'pipelines that fail',
  fixed_pipeline: 'pipelines that pass again',
  success_pipeline: 'pipelines that pass',
  moved_project: 'projects that move',
  new_epic: 'new epics',
  new_release: 'new releases',
  approver: 'approvals',
} as const

export type EventName = keyof typeof EVENTS
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[]

const LEVELS = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const
const Level = OneOf(...LEVELS)

const events = Object.fromEntries(
  EVENT_NAMES.map((name) => [
    name,
    optional(Type.Boolean(), `For \`custom\`: whether to mail about ${EVENTS[name]}.`),
  ]),
) as Record<EventName, ReturnType<typeof optional<ReturnType<typeof Type.Boolean>>>>

export const SetLocalSettings = Type.Object({
  level: optional(Level, 'About what to mail; `global`: as everywhere else.'),
  ...events,
})
export type SetLocalSettings = Static<typeof SetLocalSettings>

export const SetGlobalSettings = Type.Object({
  ...SetLocalSettings.properties,
  notification_email: optional(
    Type.String(),
    'A confirmed address of the user; that of the account by default.',
  ),
})
export type SetGlobalSettings = Static<typeof SetGlobalSettings>

const Events = Type.Object(
  Object.fromEntries(
    EVENT_NAMES.map((name) => [name, flag(`Whether there are mails about ${EVENTS[name]}.`)]),
  ),
)

export const LocalSettings = Type.Object({
  level: described(Level, 'About what there are mails.'),
  events: optional(Events, 'For `custom`: about which events.'),
})

export const GlobalSettings = Type.Object({
  ...LocalSettings.properties,
  notification_email: described(Type.String(), 'Where mails go.'),
})
export type GlobalSettings = Static<typeof GlobalSettings>
