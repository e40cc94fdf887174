import { execa } from 'execa'
import { describe, expect, test } from 'vitest'

import type { PlannedRelease } from '../../../../../src/ci-config/plan.js'
import { releaseCommand } from '../../../../../src/coordinator/ci/jobs/payload/release-step.js'

const env = { TAG: 'v1 "quoted"', CI_COMMIT_SHA: 'abc' }

/** What the release client is called with, as a real shell splits it. */
async function wordsOf(release: PlannedRelease): Promise<string[]> {
  const client = `release-cli() { printf '%s\\0' "$@"; }`
  const { stdout } = await execa('bash', ['-c', `${client}\n${releaseCommand(release)}`], {
    env,
    stripFinalNewline: false,
  })
  return stdout.split('\0').slice(0, -1)
}

describe('the line that makes a release', () => {
  test('has the given options, and the commit as default ref', async () => {
    expect(await wordsOf({ tagName: 'v1', description: './notes.md' })).toEqual([
      'create',
      '--description',
      './notes.md',
      '--tag-name',
      'v1',
      '--ref',
      'abc',
    ])
  })

  test('hands on every option', async () => {
    const words = await wordsOf({
      tagName: '$TAG',
      name: 'Release ${TAG}',
      description: 'd',
      tagMessage: 'm',
      ref: 'main',
      milestones: ['m1', 'm2'],
      releasedAt: '2024-01-01',
      links: [{ name: 'a', url: 'https://example.com/$TAG', filepath: '/f', linkType: 'image' }],
    })
    expect(words).toEqual([
      'create',
      '--name',
      'Release v1 "quoted"',
      '--description',
      'd',
      '--tag-name',
      'v1 "quoted"',
      '--tag-message',
      'm',
      '--ref',
      'main',
      '--released-at',
      '2024-01-01',
      '--milestone',
      'm1',
      '--milestone',
      'm2',
      '--assets-link',
      '{"name":"a","url":"https://example.com/v1 "quoted"","filepath":"/f","link_type":"image"}',
    ])
  })

  test.each(['`id`', '$(id)', '"; id; "', 'a\\b', '5$', '$5', '$$', 'two\nlines'])(
    'takes %j as text',
    async (description) => {
      expect((await wordsOf({ tagName: 't', description }))[2]).toBe(description)
    },
  )
})
