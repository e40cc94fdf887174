import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { declaredOperations } from '../support/declared-operations.js'

const SOURCES = 'src/coordinator'

/** Every literal of the source code that looks like a route, without its quotes. */
async function literalRoutes(): Promise<Set<string>> {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith('.ts'))
  const texts = await Promise.all(files.map((file) => readFile(join(SOURCES, file), 'utf8')))
  const literals = texts.flatMap((text) => text.match(/'(?:GET|POST|PUT|PATCH|DELETE) \/[^'\n]*'/g) ?? [])
  return new Set(literals.map((literal) => literal.slice(1, -1)))
}

test('every operation writes its route as a literal, so that a search for the path finds it', async () => {
  const written = await literalRoutes()
  const declared = (await declaredOperations()).map(({ method, path }) => `${method} ${path}`)
  expect(declared.length).toBeGreaterThan(300)
  expect(declared.filter((route) => !written.has(route))).toEqual([])
})
