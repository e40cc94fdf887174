import { expect, test } from 'vitest'

import { EFFECTIVE_DEFAULTS } from '../../src/coordinator/database/tables/application-settings.js'
import { SETTING_GROUPS } from '../../src/web/pages/admin/settings/setting-groups.js'
import { changedSettings, draftOf } from '../../src/web/records/settings-fields.js'

const FIELDS = SETTING_GROUPS.flatMap(({ fields }) => fields)

test('the page has each setting that takes effect once', () => {
  expect(FIELDS.map(({ name }) => name).toSorted()).toEqual(Object.keys(EFFECTIVE_DEFAULTS).toSorted())
})

test('settings that nobody touches are not sent', () => {
  const values = { ...EFFECTIVE_DEFAULTS }
  expect(changedSettings(FIELDS, values, draftOf(FIELDS, values))).toEqual({})
})

test('settings are sent as the API takes them', () => {
  const values = { ...EFFECTIVE_DEFAULTS }
  const draft = {
    ...draftOf(FIELDS, values),
    restricted_visibility_levels: 'internal, public',
    default_branch_protection: '0',
    enabled_git_access_protocol: 'ssh',
    default_artifacts_expire_in: '',
    runner_token_expiration_interval: '3600',
    domain_allowlist: 'a.example, *.b.example',
  }
  expect(changedSettings(FIELDS, values, draft)).toEqual({
    restricted_visibility_levels: ['internal', 'public'],
    default_branch_protection: 0,
    enabled_git_access_protocol: 'ssh',
    default_artifacts_expire_in: null,
    runner_token_expiration_interval: 3600,
    domain_allowlist: ['a.example', '*.b.example'],
  })
})
