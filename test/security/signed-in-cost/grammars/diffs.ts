import { hunksOf, lineAfter } from '../../../../src/coordinator/planning/discussions/diff-hunks.js'
import { parseCommit } from '../../../../src/git/parse-commit.js'
import { parseTagMessage } from '../../../../src/git/parse-tag-message.js'
import type { Grammar } from '../grammar.js'

/** Diffs, commits and tags as git prints them. */
export const diffs: Grammar = {
  tokens: [
    ...[
      '\n',
      '\r\n',
      '\n\n',
      ' ',
      '\t',
      'a',
      '0',
      '_',
      '.',
      ',',
      'é',
      '😀',
      '"',
      '\\',
      '\0',
      '\u202e',
      '\u200d',
    ],
    ...[
      '\ufe0f',
      '\u{1f3f4}',
      '\u{e0067}',
      '\u0301',
      '+',
      '-',
      '+a\n',
      '-a\n',
      ' a\n',
      '\n+',
      '\n-',
      '\n ',
      '\\\n',
    ],
    ...['@@', '@@ ', '@@ -1 +1 @@\n', '@@ -1,1 +1,1 @@ a\n', '@@ -0,0 +1,9 @@\n', '-1,', '+1', ' @@'],
    ...['diff --git a/a b/a\n', '--- a/a\n', '+++ b/a\n', 'index 1..2\n', 'Binary files differ\n'],
    ...[
      'tree ',
      'author a <a@b> 1 +0000\n',
      'encoding ',
      'gpgsig ',
      '\n ',
      '-----BEGIN PGP SIGNATURE-----\n',
    ],
  ],
  readers: {
    'hunks of a diff': {
      read: (text) => hunksOf(text).map((_, index, hunks) => lineAfter(hunks.slice(0, 9), index)),
    },
    'a commit': {
      read: (text) => parseCommit('a'.repeat(40), Buffer.from(`tree ${'a'.repeat(40)}\n${text}`)),
    },
    'a tag': { read: (text) => parseTagMessage(Buffer.from(text)) },
  },
}
