import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'

import { parseBadgeAddress } from '../../../../src/coordinator/ci/status-badges/badge-address.js'
import { coverageLimitsOf, looksOf } from '../../../../src/coordinator/ci/status-badges/badge-looks.js'
import { badgeSvg } from '../../../../src/coordinator/ci/status-badges/badge-svg.js'
import { coverageValue, pipelineValue } from '../../../../src/coordinator/ci/status-badges/badge-value.js'

describe('the address of a badge', () => {
  test.each([
    ['/group/app/badges/main/pipeline.svg', ['group/app', 'main', 'pipeline']],
    ['/group/app/badges/main/coverage.svg?job=unit', ['group/app', 'main', 'coverage']],
    ['/group/app/-/badges/main/pipeline.svg', ['group/app', 'main', 'pipeline']],
    ['/group/sub/app/badges/feature/one/pipeline.svg', ['group/sub/app', 'feature/one', 'pipeline']],
    ['/group/app/badges/feature%2Fone/pipeline.svg', ['group/app', 'feature/one', 'pipeline']],
    ['/group/badges/badges/main/pipeline.svg', ['group/badges', 'main', 'pipeline']],
    ['/group/app/badges/badges/pipeline.svg', ['group/app', 'badges', 'pipeline']],
    ['/group/app/-/badges/release.svg', ['group/app', undefined, 'release']],
    ['/group/app/badges/main/release.svg', undefined],
    ['/app/badges/main/pipeline.svg', undefined],
    ['/group/app/badges/main/other.svg', undefined],
    ['/group/app/badges/pipeline.svg', undefined],
    ['/group/app/badges/%zz/pipeline.svg', undefined],
    ['/group/app.git/info/refs', undefined],
  ])('%s', (address, expected) => {
    const found = parseBadgeAddress(address)
    expect(found && [found.project, 'ref' in found ? found.ref : undefined, found.kind]).toEqual(expected)
  })
})

const DEFAULT = { keyText: undefined, keyWidth: undefined, valueWidth: undefined, style: 'flat' }

describe('how a badge looks', () => {
  test.each([
    ['', DEFAULT],
    [
      'key_text=unit tests&key_width=130&value_width=60',
      { ...DEFAULT, keyText: 'unit tests', keyWidth: 130, valueWidth: 60 },
    ],
    ['style=flat-square', { ...DEFAULT, style: 'flat-square' }],
    ['style=round', DEFAULT],
    [`key_text=${'k'.repeat(64)}&key_width=512`, { ...DEFAULT, keyText: 'k'.repeat(64), keyWidth: 512 }],
    [`key_text=${'k'.repeat(65)}&key_width=513`, DEFAULT],
    ['key_text=&key_width=0&value_width=-5', DEFAULT],
    ['key_width=1e2&value_width=wide', DEFAULT],
  ])('%s', (query, looks) => {
    expect(looksOf(new URLSearchParams(query))).toEqual(looks)
  })
})

describe('pipeline badge', () => {
  test.each([
    [undefined, 'unknown', '#9f9f9f'],
    ['success', 'passed', '#4c1'],
    ['failed', 'failed', '#e05d44'],
    ['running', 'running', '#dfb317'],
    ['pending', 'pending', '#dfb317'],
    ['canceled', 'canceled', '#9f9f9f'],
    ['skipped', 'skipped', '#9f9f9f'],
    ['manual', 'manual', '#9f9f9f'],
    ['waiting_for_resource', 'waiting for resource', '#9f9f9f'],
  ] as const)('%s', (status, text, color) => {
    expect(pipelineValue(status)).toEqual({ text, color })
  })
})

describe('coverage badge', () => {
  test.each([
    [null, '', 'unknown', '#9f9f9f'],
    [100, '', '100.00%', '#4c1'],
    [95, '', '95.00%', '#4c1'],
    [94.99, '', '94.99%', '#a3c51c'],
    [90, '', '90.00%', '#a3c51c'],
    [75, '', '75.00%', '#dfb317'],
    [74.9, '', '74.90%', '#e05d44'],
    [0, '', '0.00%', '#e05d44'],
    [60, 'min_good=60', '60.00%', '#4c1'],
    [60, 'min_acceptable=50', '60.00%', '#a3c51c'],
    [60, 'min_medium=50&min_good=101', '60.00%', '#dfb317'],
  ])('%s with %j', (coverage, query, text, color) => {
    expect(coverageValue(coverage, coverageLimitsOf(new URLSearchParams(query)))).toEqual({ text, color })
  })
})

/** The texts of a picture that is well-formed. */
function textsOf(svg: string): string[] {
  const texts: string[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('text', (text) => texts.push(text))
  parser.write(svg).close()
  return texts.filter((text) => text.trim() !== '')
}

test('the image is well-formed for any text', () => {
  const hostile = `"><script>alert('1')</script>&\u0000\u001b\ud800`
  for (const style of ['flat', 'flat-square'] as const) {
    const looks = { keyText: hostile, keyWidth: undefined, valueWidth: undefined, style }
    const svg = badgeSvg('pipeline', { text: hostile, color: '#4c1' }, looks)
    expect(svg).not.toContain('<script')
    expect(textsOf(svg).at(-1)).toBe(`"><script>alert('1')</script>&  \ufffd`)
  }
})

test('a flat badge has round corners and a shade, a square one neither', () => {
  const value = pipelineValue('success')
  const flat = badgeSvg('pipeline', value, looksOf(new URLSearchParams()))
  expect(flat).toContain('rx="3"')
  expect(flat).toContain('linearGradient')
  expect(textsOf(flat)).toEqual(['pipeline: passed', 'pipeline', 'pipeline', 'passed', 'passed'])
  const square = badgeSvg('pipeline', value, looksOf(new URLSearchParams('style=flat-square')))
  expect(square).not.toMatch(/rx=|Gradient|clipPath/)
  expect(textsOf(square)).toEqual(['pipeline: passed', 'pipeline', 'passed'])
})

test('the fields have the widths that are asked for, else those that their texts need', () => {
  const width = (query: string) =>
    /width="(\d+)"/.exec(
      badgeSvg('pipeline', pipelineValue('success'), looksOf(new URLSearchParams(query))),
    )?.[1]
  expect(width('')).toBe('116')
  expect(width('key_width=100&value_width=50')).toBe('150')
  expect(Number(width(`key_text=${'k'.repeat(60)}`))).toBeGreaterThan(400)
})
