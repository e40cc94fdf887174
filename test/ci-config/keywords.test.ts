import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

import { KEYWORD_MAPS } from '../../src/ci-config/keywords/keyword-maps.js'
import type { Keyword, Kind } from '../../src/ci-config/keywords/keyword.js'
import { problemsOf } from './support/compile-project.js'
import { EVERY_KEYWORD } from './support/every-keyword.js'

type Value = string | number | boolean | null | Value[] | { [key: string]: Value }

/** Keywords that lead to other files. */
const WITH_INCLUDES = `
spec:
  include: [{local: inputs.yml}, {project: group/project, file: inputs.yml, ref: main}]
  inputs: {a: {default: b}}
---
include:
  - {local: part.yml, inputs: {}, rules: [{if: $A, changes: [a], exists: [b], when: never}]}
job:
  script: x
  variables: {FULL: {value: a, expand: false}}
`

const files = [EVERY_KEYWORD, WITH_INCLUDES].map((text) => {
  const [header = null, content = null] = parseAllDocuments(text).map((document) => document.toJS() as Value)
  return { header, content }
})

/** A map of the file, with the name of its keywords. */
interface Place {
  file: (typeof files)[number]
  path: string
  map: { [key: string]: Value }
  name: string
}

const places: Place[] = []
const problems: string[] = []
for (const file of files) {
  walk(file.header, 'header', { file, path: 'header' })
  walk(file.content, 'file', { file, path: 'file' })
}

function walk(value: Value, name: string, { file, path }: Pick<Place, 'file' | 'path'>): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => walk(item, name, { file, path: `${path}.${index}` }))
    return
  }
  if (typeof value !== 'object' || value === null) return
  const keywords = KEYWORD_MAPS[name] ?? {}
  places.push({ file, path, map: value, name })
  for (const [key, inside] of Object.entries(value)) {
    const keyword = keywords[key] ?? keywords['*']
    const at = `${path}.${key}`
    if (!keyword) problems.push(`${at} is not listed in ${name}`)
    else check(inside, keyword, { file, path: at })
  }
}

function check(value: Value, keyword: Keyword, { file, path }: Pick<Place, 'file' | 'path'>): void {
  const kind = kindOf(value)
  if (kind !== undefined && !keyword.kinds.includes(kind)) problems.push(`${path} is a ${kind}`)
  if (keyword.map !== undefined) walk(value, keyword.map, { file, path })
  const texts = [value].flat(9).filter((item) => typeof item === 'string')
  for (const text of texts) {
    if (keyword.words && !keyword.words.includes(text)) problems.push(`${path}: ${text} is no word of it`)
  }
}

function kindOf(value: Value): Kind | undefined {
  if (Array.isArray(value)) return 'list'
  if (value === null) return undefined
  const type = typeof value
  return type === 'object' ? 'map' : (type as Kind)
}

test('every keyword of a file with all of them is listed, with its kind and its words', () => {
  expect(problems).toEqual([])
})

test('the map of every keyword is listed, and every map belongs to a keyword', () => {
  const named = Object.values(KEYWORD_MAPS)
    .flatMap((keywords) => Object.values(keywords))
    .flatMap(({ map }) => map ?? [])
  const names = Object.keys(KEYWORD_MAPS).toSorted()
  expect([...new Set(['file', 'header', ...named])].toSorted()).toEqual(names)
  expect([...new Set(places.map(({ name }) => name))].toSorted()).toEqual(names)
})

test('every keyword is explained by one sentence', () => {
  for (const [name, keywords] of Object.entries(KEYWORD_MAPS)) {
    for (const [key, { about }] of Object.entries(keywords)) {
      expect(about, `${name}.${key}`).toMatch(/^[A-Z][^\n]{3,100}[.`]$/)
    }
  }
})

const OF_A_JOB = ['script', 'run', 'trigger', 'needs', 'extends']

/** Words that a map accepts although they are not listed: without effect, or because they make it a job. */
const ALSO_ACCEPTED: Record<string, string[]> = {
  workflow_rule: ['start_in', 'allow_failure', 'needs'],
  workflow: OF_A_JOB,
  default: OF_A_JOB,
}

const everyWord = [...new Set(Object.values(KEYWORD_MAPS).flatMap((map) => Object.keys(map)))].filter(
  (word) => word !== '*',
)

test('every map refuses all words but those that are listed for it', async () => {
  const wrong: string[] = []
  for (const { file, path, map, name } of places) {
    const listed = Object.keys(KEYWORD_MAPS[name] ?? {})
    // Other keys of the header have no effect. Of several unknown keys, an include names the first.
    if (listed.includes('*') || name === 'header' || path.startsWith('file.include.')) continue
    const accepted = [...listed, ...(ALSO_ACCEPTED[name] ?? [])]
    const others = everyWord.filter((word) => !accepted.includes(word))
    const half = Math.ceil(others.length / 2)
    const messages = [
      ...(await messagesWith(file, map, others.slice(0, half))),
      ...(await messagesWith(file, map, others.slice(half))),
    ]
    const refused = messages.flatMap(refusedKeys)
    const missing = others.filter((word) => !refused.includes(word))
    if (missing.length > 0) wrong.push(`${path} (${name}) accepts ${missing.join(' ')}: ${messages[0]}`)
  }
  expect(wrong).toEqual([])
})

function refusedKeys(message: string): string[] {
  const [, property] = /object property at `[^`]*\/([^`/]+)` is a disallowed/.exec(message) ?? []
  if (property !== undefined) return [property]
  return /(?:contains unknown keys|uses invalid data keys): (.*)$/s.exec(message)?.[1]?.split(', ') ?? []
}

/** The problems of the file if the map also has the words. */
async function messagesWith(
  { header, content }: Place['file'],
  map: Place['map'],
  words: string[],
): Promise<string[]> {
  const more = Object.fromEntries(words.map((word) => [word, 'x']))
  const written = (value: Value): string =>
    JSON.stringify(value, (_, part: Value) => (part === map ? { ...map, ...more } : part))
  const text = `${written(header)}\n---\n${written(content)}`
  return problemsOf({
    '.gitlab-ci.yml': text,
    'part.yml': 'other: {script: x}',
    'inputs.yml': 'inputs: {}',
  })
}
