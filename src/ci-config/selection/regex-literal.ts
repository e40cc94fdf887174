import { RE2JS, RE2JSException } from 're2js'

/** Text of the form `/…/flags`: the expression; `invalid` when it cannot be understood; undefined for any other text. */
export function parseRegexLiteral(text: string): RE2JS | 'invalid' | undefined {
  const literal = /^\/(?<body>.+)\/(?<flags>[ismU]*)$/s.exec(text)?.groups
  if (!literal?.body) return undefined
  const flags = literal.flags ? `(?${literal.flags})` : ''
  try {
    return RE2JS.compile(flags + literal.body)
  } catch (error) {
    if (error instanceof RE2JSException) return 'invalid'
    throw error
  }
}
