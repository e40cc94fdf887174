import { KEYWORD_MAPS } from '../../../ci-config/keywords/keyword-maps.js'
import type { Keyword } from '../../../ci-config/keywords/keyword.js'
import type { CiKeyword, CiKeywords } from './schema.js'

let presented: CiKeywords | undefined

export function presentKeywords(): CiKeywords {
  presented ??= {
    maps: Object.fromEntries(
      Object.entries(KEYWORD_MAPS).map(([name, keywords]) => [
        name,
        Object.entries(keywords).map(([key, keyword]) => presentKeyword(key, keyword)),
      ]),
    ),
  }
  return presented
}

function presentKeyword(name: string, { kinds, about, map, words }: Keyword): CiKeyword {
  return { name, kinds: [...kinds], about, map: map ?? null, words: words ? [...words] : null }
}
