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
