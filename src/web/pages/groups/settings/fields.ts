import type { SettingField } from '../../../records/settings-fields.js'
import { VISIBILITY_CHOICES } from '../../../records/visibility-choices.js'

/** Name and description of a group. */
export const NAME_FIELDS: readonly SettingField[] = [
  { name: 'name', label: 'Name', kind: 'text', isRequired: true },
  { name: 'description', label: 'Description', kind: 'area', isNullable: true },
  {
    name: 'visibility',
    label: 'Visibility',
    kind: 'select',
    choices: VISIBILITY_CHOICES,
    help: 'Projects and subgroups are at most as visible.',
  },
]

/** What members of a group may do. */
export const PERMISSION_FIELDS: readonly SettingField[] = [
  {
    name: 'project_creation_level',
    label: 'Who creates projects',
    kind: 'select',
    choices: [
      { value: 'developer', label: 'Developers and above' },
      { value: 'maintainer', label: 'Maintainers and above' },
      { value: 'noone', label: 'Nobody' },
    ],
  },
  {
    name: 'subgroup_creation_level',
    label: 'Who creates subgroups',
    kind: 'select',
    choices: [
      { value: 'maintainer', label: 'Maintainers and above' },
      { value: 'owner', label: 'Owners' },
    ],
  },
  {
    name: 'default_branch_protection',
    label: 'Default branch of new projects',
    kind: 'select',
    isNumber: true,
    choices: [
      { value: '0', label: 'Not protected' },
      { value: '1', label: 'Developers push' },
      { value: '3', label: 'Developers merge, maintainers push' },
      { value: '2', label: 'Maintainers push and merge' },
      { value: '4', label: 'Maintainers push and merge, except for the first push' },
    ],
  },
  {
    name: 'shared_runners_setting',
    label: 'Runners of the instance',
    kind: 'select',
    choices: [
      { value: 'enabled', label: 'On for new projects' },
      { value: 'disabled_and_overridable', label: 'Off, and projects may switch them on' },
      { value: 'disabled_and_unoverridable', label: 'Off in all projects' },
    ],
  },
  { name: 'request_access_enabled', label: 'Users may request access', kind: 'check' },
  { name: 'membership_lock', label: 'Projects have no members of their own', kind: 'check' },
  { name: 'share_with_group_lock', label: 'Projects cannot be shared with other groups', kind: 'check' },
  { name: 'lfs_enabled', label: 'New projects store Git LFS files', kind: 'check' },
  { name: 'emails_disabled', label: 'Send no mails about projects of this group', kind: 'check' },
]
