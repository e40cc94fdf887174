import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import type { Row } from './row.js'
import { ROWS } from './rows/index.js'

test('no two rows show the same behaviour', () => {
  const behaviours = ROWS.map(({ behaviour }) => behaviour)
  expect(new Set(behaviours).size).toBe(behaviours.length)
  expect(behaviours.length).toBeGreaterThanOrEqual(60)
})

/** Those that `docs/podman.md` is about. */
function otherTargets(except: NonNullable<Row['except']>): string[] {
  return Object.keys(except).filter((name) => name !== 'kubernetes')
}

test('the documentation lists what does not hold everywhere', () => {
  const document = readFileSync('docs/podman.md', 'utf8')
  const listed = document.slice(document.indexOf('## What holds'), document.indexOf('## Limits'))
  const exceptions = ROWS.filter(({ needs, except = {} }) => needs ?? otherTargets(except).length > 0).map(
    ({ behaviour }) => behaviour,
  )
  const rows = Array.from(listed.matchAll(/^\| (.+?) +\|/gm), ([, cell]) => cell)
  expect(rows.slice(2)).toEqual(exceptions)
})

test('the documentation lists what does not hold in a cluster, and why', () => {
  const document = readFileSync('docs/kubernetes.md', 'utf8')
  const listed = document.slice(document.indexOf('These rows do not hold'), document.indexOf('## Settings'))
  const rows = Array.from(listed.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm), ([, ...cells]) => cells)
  const exceptions = ROWS.flatMap(({ behaviour, except }) =>
    except?.kubernetes === undefined ? [] : [[behaviour, except.kubernetes]],
  )
  expect(rows.slice(2)).toEqual(exceptions)
})
