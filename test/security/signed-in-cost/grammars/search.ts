import { nameSearch } from '../../../../src/coordinator/hosting/repositories/browse/ref-lists.js'
import {
  matchesFile,
  pathspecOf,
  readFileQuery,
} from '../../../../src/coordinator/planning/search/file-query.js'
import { wordsIn } from '../../../../src/lib/words-in.js'
import type { Grammar } from '../grammar.js'

/** The longest search that an address can contain, in characters. */
const SEARCH_LENGTH = 15 * 1024

/** What is searched for. */
export const search: Grammar = {
  tokens: [
    ...[
      'a',
      'b',
      'A',
      '0',
      ' ',
      '  ',
      '\t',
      '\n',
      '\u00a0',
      '"',
      "'",
      '*',
      '%',
      '_',
      '\\',
      '.',
      '/',
      '-',
      '^',
      '$',
    ],
    ...[
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '|',
      '+',
      '?',
      'é',
      'ß',
      'İ',
      '😀',
      '\u0301',
      '\0',
      '#1',
      'a b ',
      '.*',
      '(a|',
    ],
    ...['filename:', 'filename:a ', 'path:*a* ', '-path:a ', 'extension:ts ', '*a', 'a*', 'error: '],
  ],
  readers: {
    'a search for files': {
      read: (text) => {
        const query = readFileQuery(text)
        return [matchesFile(query, text.slice(0, 4096)), pathspecOf(query)]
      },
      length: SEARCH_LENGTH,
    },
    'words of a search': { read: wordsIn },
    'names of a search': { read: (text) => nameSearch(text)(text) },
  },
}
