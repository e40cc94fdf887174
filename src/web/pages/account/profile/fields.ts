import type { FullUser } from '../../../../coordinator/accounts/users/record/schema.js'
import type { SettingField } from '../../../records/settings-fields.js'

export const PROFILE_FIELDS: readonly SettingField[] = [
  { name: 'name', label: 'Name', kind: 'text', isRequired: true },
  { name: 'bio', label: 'About you', kind: 'area', isNullable: true, help: 'At most 255 characters.' },
  {
    name: 'pronouns',
    label: 'Pronouns',
    kind: 'text',
    isShort: true,
    isNullable: true,
    placeholder: 'she/her',
  },
  { name: 'location', label: 'Location', kind: 'text', isShort: true, isNullable: true },
  { name: 'job_title', label: 'Job title', kind: 'text', isShort: true, isNullable: true },
  { name: 'organization', label: 'Organization', kind: 'text', isShort: true, isNullable: true },
  {
    name: 'website_url',
    label: 'Website',
    kind: 'text',
    isNullable: true,
    placeholder: 'https://example.com',
  },
  {
    name: 'private_profile',
    label: 'Private profile',
    kind: 'check',
    help: 'Others see your name, username and picture only.',
  },
]

export const STATUS_LIVES = [
  { value: '', label: 'Never' },
  { value: '30_minutes', label: 'In 30 minutes' },
  { value: '3_hours', label: 'In 3 hours' },
  { value: '8_hours', label: 'In 8 hours' },
  { value: '1_day', label: 'In a day' },
  { value: '3_days', label: 'In 3 days' },
  { value: '7_days', label: 'In a week' },
  { value: '30_days', label: 'In 30 days' },
]

const LEVELS = [
  { value: 'watch', label: 'Watch: all activity' },
  { value: 'participating', label: 'Participate: where you take part, and mentions' },
  { value: 'mention', label: 'On mention' },
  { value: 'custom', label: 'Custom: the events that you choose' },
  { value: 'disabled', label: 'Disabled: no mails' },
]

/** Names of the events in the API, and what users read. */
const EVENTS = [
  ['failed_pipeline', 'A pipeline fails'],
  ['fixed_pipeline', 'A pipeline is fixed'],
  ['success_pipeline', 'A pipeline succeeds'],
  ['new_note', 'Comments'],
  ['new_issue', 'New issues'],
  ['reopen_issue', 'An issue is reopened'],
  ['close_issue', 'An issue is closed'],
  ['reassign_issue', 'An issue is assigned'],
  ['issue_due', 'An issue is due tomorrow'],
  ['new_merge_request', 'New merge requests'],
  ['push_to_merge_request', 'Pushes to a merge request'],
  ['reopen_merge_request', 'A merge request is reopened'],
  ['close_merge_request', 'A merge request is closed'],
  ['reassign_merge_request', 'A merge request is assigned'],
  ['change_reviewer_merge_request', 'A review is requested'],
  ['merge_merge_request', 'A merge request is merged'],
  ['merge_when_pipeline_succeeds', 'A merge waits for its pipeline'],
  ['approver', 'Approvals'],
  ['new_release', 'New releases'],
  ['moved_project', 'A project is moved'],
  ['new_epic', 'New epics'],
] as const

export const EVENT_FIELDS: readonly SettingField[] = EVENTS.map(([name, label]) => ({
  name,
  label,
  kind: 'check',
}))

/** Confirmed addresses of the user, the primary one first. */
export function addressChoices(
  { email }: Pick<FullUser, 'email'>,
  others: readonly { email: string; confirmed_at: string | null }[],
): { value: string; label: string }[] {
  const confirmed = others.filter((other) => other.confirmed_at !== null).map((other) => other.email)
  return [email, ...confirmed].map((value) => ({ value, label: value }))
}

export function emailFields(choices: readonly { value: string; label: string }[]): readonly SettingField[] {
  return [
    {
      name: 'public_email',
      label: 'Public address',
      kind: 'select',
      isNullable: true,
      choices: [{ value: '', label: 'None' }, ...choices],
      help: 'Shown on your profile.',
    },
    {
      name: 'commit_email',
      label: 'Address of commits',
      kind: 'select',
      choices,
      help: 'Of commits that you make in the browser, and of merges.',
    },
  ]
}

export function notificationFields(
  choices: readonly { value: string; label: string }[],
): readonly SettingField[] {
  return [
    {
      name: 'level',
      label: 'Level',
      kind: 'select',
      choices: LEVELS,
      help: 'Projects and groups may have a level of their own.',
    },
    { name: 'notification_email', label: 'Send to', kind: 'select', choices },
  ]
}
