import { expect, test } from 'vitest'

import { changesOf, releaseChangelog } from '../../../scripts/release/changelog.mjs'

const INTRODUCTION = '# Changelog\n\nAll changes.\n\n'
const CHANGES = '### Added\n\n- One thing,\n  on two lines.\n\n### Fixed\n\n- Another one.\n'

test('the unreleased changes become the section of the version', () => {
  const text = `${INTRODUCTION}## [Unreleased]\n\n${CHANGES}\n## [0.9.0] - 2026-01-31\n\n- Older.\n`
  const released = releaseChangelog(text, '1.0.0', '2026-11-28')
  expect(released).toBe(
    `${INTRODUCTION}## [Unreleased]\n\n## [1.0.0] - 2026-11-28\n\n${CHANGES}\n## [0.9.0] - 2026-01-31\n\n- Older.\n`,
  )
  expect(changesOf(released, '1.0.0')).toBe(CHANGES.trim())
  expect(changesOf(released, '0.9.0')).toBe('- Older.')
})

test('the first release has no section below its own', () => {
  const released = releaseChangelog(`${INTRODUCTION}## [Unreleased]\n\n${CHANGES}`, '1.0.0', '2026-11-28')
  expect(released).toBe(`${INTRODUCTION}## [Unreleased]\n\n## [1.0.0] - 2026-11-28\n\n${CHANGES}`)
})

test.each([
  ['an empty section', '## [Unreleased]\n\n## [0.9.0] - 2026-01-31\n\n- Older.\n'],
  ['headings alone', '## [Unreleased]\n\n### Added\n\n## [0.9.0] - 2026-01-31\n\n- Older.\n'],
])('%s is not released', (_, text) => {
  expect(() => releaseChangelog(`${INTRODUCTION}${text}`, '1.0.0', '2026-11-28')).toThrow(
    'no entry below "## [Unreleased]"',
  )
})

test('a changelog without the heading is refused', () => {
  expect(() => releaseChangelog(INTRODUCTION, '1.0.0', '2026-11-28')).toThrow('no heading "## [Unreleased]"')
})
