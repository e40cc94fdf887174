import { readdirSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { MISSING_PARTS } from '../pages/support/missing-parts.js'

const sources = readdirSync('src/web', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(`src/web/${file}`, 'utf8') }))

test('every part that a page may lack is tried in the browser', () => {
  const found = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/<Missing\s+what=(?:"([^"]+)"|\{`More \$\{of\}`\})/g)].map(
      ([, what = 'More branches']) => `${file}: ${what}`,
    ),
  )
  expect(found.length).toBeGreaterThan(0)
  expect(found.toSorted()).toEqual(MISSING_PARTS.map(({ source, what }) => `${source}: ${what}`).toSorted())
})

test('whatever reads the next page of a list says if it could not be read', () => {
  const readers = sources.filter(({ text }) => /\bnext\??\.read\b|fetchNextPage\(/.test(text))
  expect(readers.map(({ file }) => file).toSorted()).toEqual([
    'api/use-read.ts',
    'api/use-whole-list.ts',
    'frame/load-more.tsx',
  ])
})
