import { describe, expect, it } from 'vitest'

import {
  arrange,
  folderSummary,
  productionCommit,
  safeAddress,
  shownAddress,
} from '../../src/web/pages/environments/arrange.js'

const environment = (name: string, tier: string) => ({
  id: 1,
  name,
  tier,
  slug: name,
  external_url: null,
  created_at: '',
  updated_at: '',
  state: 'available',
  description: null,
  auto_stop_at: null,
  auto_stop_setting: 'always',
  kubernetes_namespace: null,
  flux_resource_path: null,
})

describe('environments', () => {
  it('are shown by tier and name, and those of a folder together at the end', () => {
    const groups = arrange([
      environment('review/b', 'development'),
      environment('staging', 'staging'),
      environment('live/eu', 'production'),
      environment('production', 'production'),
      environment('review/a', 'development'),
      environment('/odd', 'other'),
    ])
    expect(groups.map(({ folder, environments }) => [folder, environments.map(({ name }) => name)])).toEqual([
      [undefined, ['production']],
      [undefined, ['staging']],
      [undefined, ['/odd']],
      ['live', ['live/eu']],
      ['review', ['review/a', 'review/b']],
    ])
  })

  it('of a folder are counted, with those that stop until the end of the day', () => {
    const end = Date.parse('2026-03-03T00:00:00Z')
    const stops = (auto_stop_at: string | null) => ({ auto_stop_at })
    const today = '2026-03-02T23:59:00Z'
    expect(folderSummary([stops(null), stops('2026-03-03T00:00:00Z')], end)).toBe('2')
    expect(folderSummary([stops(null), stops(today)], end)).toBe('2, 1 stops today')
    expect(folderSummary([stops(today), stops('2026-03-01T00:00:00Z')], end)).toBe('2, 2 stop today')
  })

  it('are compared to production where there is one', () => {
    const deployed = (tier: string, sha: string) => ({
      ...environment(tier, tier),
      last_deployment: { sha } as never,
    })
    const live = deployed('production', 'a')
    expect(productionCommit([deployed('staging', 'b'), live, environment('x', 'production')])).toBe('a')
    expect(productionCommit([deployed('staging', 'b')])).toBeUndefined()
    expect(productionCommit([live, deployed('production', 'c')])).toBeUndefined()
  })

  it.each([
    ['https://app.example.com', 'https://app.example.com/'],
    ['http://10.0.0.7:8080/x', 'http://10.0.0.7:8080/x'],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['not an address', undefined],
    [null, undefined],
  ])('link to %s as %s', (address, href) => {
    expect(safeAddress(address)).toBe(href)
  })

  it('show addresses without what all have', () => {
    expect(shownAddress('https://app.example.com/')).toBe('app.example.com')
  })
})
