/** How a value may be written. A list may be nested, and its items are texts, numbers or maps. */
export type Kind = 'string' | 'number' | 'boolean' | 'list' | 'map'

/** A keyword of the CI language, for editors. */
export interface Keyword {
  kinds: readonly Kind[]
  /** What it is for, in one line. */
  about: string
  /** Names the keywords of the map that it contains, or of each map in its list; absent = the map has any keys. */
  map?: string
  /** The words that its text, or each text of its list, may be; absent = others too. */
  words?: readonly string[]
}

/** The keywords of a map, by their names. `*` stands for any other name. */
export type KeywordMap = Readonly<Record<string, Keyword>>

interface Shape {
  attributes: object
  children: object
}

/** One keyword for each key of a map that the compiler reads, and no other. */
export type KeywordsOf<S extends Shape> = Record<
  Extract<keyof S['attributes'] | keyof S['children'], string>,
  Keyword
>

/** One keyword for each of the names, and no other. */
export type KeywordsNamed<Names extends string> = Record<Names, Keyword>

type More = Pick<Keyword, 'map' | 'words'>

export function text(about: string, more: More = {}): Keyword {
  return { kinds: ['string'], about, ...more }
}

export function flag(about: string): Keyword {
  return { kinds: ['boolean'], about }
}

export function list(about: string, more: More = {}): Keyword {
  return { kinds: ['list'], about, ...more }
}

/** A text, or a list of texts. */
export function texts(about: string, more: More = {}): Keyword {
  return { kinds: ['string', 'list'], about, ...more }
}

export function map(about: string, name: string): Keyword {
  return { kinds: ['map'], about, map: name }
}

/** A value that may be written in several ways. */
export function either(kinds: readonly Kind[], about: string, more: More = {}): Keyword {
  return { kinds, about, ...more }
}

/** Any value. */
export function anything(about: string): Keyword {
  return { kinds: ['string', 'number', 'boolean', 'list', 'map'], about }
}
