import type { CiKeyword, CiKeywords } from '../../../coordinator/ci/lint/schema.js'
import type { FileNames, YamlPosition } from './yaml-position.js'

type Maps = CiKeywords['maps']

/** A word that may be written at a position. */
export interface Proposal {
  label: string
  /** A line about it. */
  info?: string
  /** What is written, if it is more than the label. */
  text?: string
}

/** Keys whose values, or items, are names of jobs. */
const NAME_JOBS = new Set(['needs', 'dependencies', 'extends', 'job'])

/** The words that may be written at a position. */
export function proposalsAt(maps: Maps, position: YamlPosition, names: FileNames): Proposal[] {
  const { path, isKey, key } = position
  if (!isKey) return key === undefined ? [] : valuesOf(keywordAt(maps, path, key), key, names)
  const list = path.at(-1)
  const keys = (mapAt(maps, path) ?? []).filter(({ name }) => name !== '*').map(presentKey)
  // In a list of texts, the items are values of the key above.
  const items = list === undefined ? [] : valuesOf(keywordAt(maps, path.slice(0, -1), list), list, names)
  return [...items, ...keys]
}

/** What a key at a position is for. */
export function keywordAt(maps: Maps, path: readonly string[], key: string): CiKeyword | undefined {
  const keywords = mapAt(maps, path)
  return keywords?.find(({ name }) => name === key) ?? keywords?.find(({ name }) => name === '*')
}

/** The keywords of the map at a path. Undefined where any key may be written. */
function mapAt(maps: Maps, path: readonly string[]): CiKeyword[] | undefined {
  let keywords: CiKeyword[] | undefined = maps['file']
  for (const key of path) {
    const found = keywords?.find(({ name }) => name === key) ?? keywords?.find(({ name }) => name === '*')
    keywords = found?.map ? maps[found.map] : undefined
  }
  return keywords
}

function presentKey({ name, about, kinds }: CiKeyword): Proposal {
  const isBlock = kinds.every((kind) => kind === 'list' || kind === 'map')
  return { label: name, info: about, text: isBlock ? `${name}:` : `${name}: ` }
}

function valuesOf(keyword: CiKeyword | undefined, key: string, { jobs, stages }: FileNames): Proposal[] {
  const words = keyword?.words ?? (keyword?.kinds.includes('boolean') ? ['true', 'false'] : [])
  const named = NAME_JOBS.has(key)
    ? jobs.filter((name) => key === 'extends' || !name.startsWith('.'))
    : key === 'stage' || key === 'stages'
      ? [...stages, '.pre', '.post'].filter((stage) => key === 'stage' || !stage.startsWith('.'))
      : []
  return [...new Set([...words, ...named])].map((label) => ({ label }))
}
