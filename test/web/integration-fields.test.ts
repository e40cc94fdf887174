import { describe, expect, it } from 'vitest'

import { presentKind } from '../../src/coordinator/integrations/services/integrations.js'
import { KINDS } from '../../src/coordinator/integrations/services/kinds.js'
import {
  eventFields,
  labelOf,
  propertyFields,
} from '../../src/web/pages/settings/integration/integration-fields.js'

function kind(slug: string) {
  const found = KINDS.find((one) => one.slug === slug)
  if (!found) throw new Error(`There is no integration ${slug}`)
  return presentKind(found)
}

describe('the form of an integration', () => {
  it.each([
    ['bamboo_url', 'Bamboo URL'],
    ['api_key', 'API key'],
    ['webhook', 'Webhook URL'],
    ['room', 'Room'],
    ['google_iap_service_account_json', 'Google IAP service account JSON'],
  ])('labels %s as "%s"', (name, label) => {
    expect(labelOf(name)).toBe(label)
  })

  it('has a control for each kind of value, and needs a secret once', () => {
    const kinds = (isSaved: boolean) =>
      propertyFields(kind('telegram'), isSaved).map(({ name, kind: control, isRequired, isNullable }) => [
        name,
        control,
        isRequired ?? false,
        isNullable ?? false,
      ])
    expect(kinds(false)).toEqual([
      ['token', 'password', true, false],
      ['room', 'text', true, false],
      ['hostname', 'text', false, true],
      ['thread', 'number', false, true],
      ['notify_only_broken_pipelines', 'check', false, true],
      ['notify_only_default_branch', 'check', false, true],
      ['branches_to_be_notified', 'select', false, true],
    ])
    expect(kinds(true)[0]).toEqual(['token', 'password', false, false])
  })

  it('names each event as webhooks do', () => {
    expect(eventFields(kind('jira')).map(({ name, label }) => [name, label])).toEqual([
      ['push_events', 'Pushes'],
      ['merge_requests_events', 'Merge requests'],
    ])
  })
})
