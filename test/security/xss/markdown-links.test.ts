import { expect, test } from 'vitest'

import { openPlanningScene } from '../../coordinator/planning/support.js'
import { EXTERNAL_URL } from '../../coordinator/support/test-app.js'
import { openSqlite } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'

// References in Markdown become links with titles that other users write.

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'

const opened = openForFile(async () => {
  const scene = await openPlanningScene(openSqlite)
  const { ok, P } = scene
  await ok(`POST ${P}/issues`, { title: ATTACK })
  await ok(`POST ${P}/labels`, { name: '<img src=x onerror=alert(1)>', color: 'red', description: ATTACK })
  await ok(`POST ${P}/milestones`, { title: '<svg onload=alert(1)>' })
  return scene
})

test.each([
  '<script>alert(1)</script> #1',
  '[#1](javascript:alert(1))',
  '#1" onmouseover="alert(1)',
  '~"<img src=x onerror=alert(1)>"',
  '%"<svg onload=alert(1)>"',
  `${EXTERNAL_URL}/team/app/-/issues/1"onclick="alert(1)`,
  `<${EXTERNAL_URL}/team/app/-/issues/1?"><script>alert(1)</script>>`,
  '- [ ] <input onfocus=alert(1) autofocus> #1',
  '- [x] [ ] ![x](" onerror="alert(1))',
  '@root<iframe src=javascript:alert(1)>',
])('a text with references has no markup of its own: %j', async (text) => {
  const body = { text, gfm: true, project: 'team/app' }
  const { html } = await opened().ok<{ html: string }>('POST /markdown', body)
  const tags = [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag)
  expect(tags.length).toBeGreaterThan(0)
  for (const tag of tags) {
    expect(tag).toMatch(/^<(\/?(p|a|ul|li|img)\b|input type="checkbox" class="task-list-item-checkbox" )/)
    expect(tag.replaceAll(/"[^"]*"/g, '')).not.toMatch(/\son\w+/)
    expect(tag).not.toMatch(/(href|src)="(javascript|data):/)
  }
})
