import { ConfigError } from '../../../../src/ci-config/errors.js'
import { parseExpression } from '../../../../src/ci-config/expressions/parse-expression.js'
import { expandReferences } from '../../../../src/ci-config/variables/expand.js'
import type { Grammar } from '../grammar.js'

/** Conditions of jobs, and texts with variables. */
export const expressions: Grammar = {
  tokens: [
    ...[' ', '\t', '\n', 'a', '0', '"', "'", '"a"', '\\', '\\/', '(', ')', '[', '*', '+', '|', '.', '^', '&'],
    ...[
      '$',
      '$A',
      '${',
      '${A}',
      '}',
      '$$',
      '%',
      '%A%',
      '%%',
      '$[[',
      ']]',
      'null',
      '==',
      '!=',
      '=~',
      '!~',
      '&&',
    ],
    ...['||', '/', '/a/', '/a/i', '/(a*)*/', 'é', '😀'],
  ],
  readers: {
    'references to variables': { read: (text) => expandReferences(text, (name) => name, 'keep') },
    'a condition': {
      read: (text) => {
        try {
          return parseExpression(text)
        } catch (error) {
          // Its regular expressions are too large.
          if (!(error instanceof ConfigError)) throw error
          return undefined
        }
      },
    },
  },
}
