import { ApiError } from '../../../../src/coordinator/http/errors.js'
import { readCommands } from '../../../../src/coordinator/planning/commands.js'
import { mentionsIn } from '../../../../src/coordinator/planning/notices/mentions.js'
import { closingReferences } from '../../../../src/coordinator/planning/references/closing.js'
import { findReferences } from '../../../../src/coordinator/planning/references/find-references.js'
import { ReferenceBudget } from '../../../../src/coordinator/planning/references/reference-budget.js'
import { suggestedBlocks } from '../../../../src/coordinator/planning/suggestions/suggestions-in.js'
import { tasksIn } from '../../../../src/coordinator/planning/task-list.js'
import type { Grammar } from '../grammar.js'

const KINDS = ['issue', 'merge_request', 'snippet', 'label', 'milestone', 'commit', 'user'] as const

/** Descriptions and comments. */
export const planning: Grammar = {
  tokens: [
    ...[
      '\n',
      '\r\n',
      '\n\n',
      ' ',
      '    ',
      '\t',
      '\u00a0',
      'a',
      '0',
      'é',
      '😀',
      '\\',
      '.',
      ',',
      '-',
      '_',
      '/',
      '&',
    ],
    ...['#', '#1', 'g/p#1', '!1', '$1', '@', '@a', '~', '~a', '~"', '%', '%"a b"', '1234abc', 'a@', '"', "'"],
    ...['`', '```', '```\n', '~~~', '> ', '- ', '- [ ] a', '[ ]', '[', '](', '1. ', '# ', '<!--', '**', '|'],
    ...['fix ', 'closes: ', 'issue ', ', and ', 'http', '://', 'https://ci.test/g/p/-/issues/1'],
    ...['/close', '/label ~a', '/shrug', '/x', '```suggestion', '```suggestion:-1+1\n'],
  ],
  readers: {
    references: {
      read: (text) =>
        findReferences(text, {
          externalUrl: 'https://ci.test',
          wanted: new ReferenceBudget(KINDS, Infinity),
        }),
    },
    'closing references': { read: (text) => closingReferences(text, { externalUrl: 'https://ci.test' }) },
    mentions: { read: mentionsIn },
    'quick actions': {
      read: (text) => {
        try {
          return readCommands(text)
        } catch (error) {
          // There are too many of them.
          if (!(error instanceof ApiError)) throw error
          return undefined
        }
      },
    },
    tasks: { read: tasksIn },
    suggestions: { read: suggestedBlocks },
  },
}
