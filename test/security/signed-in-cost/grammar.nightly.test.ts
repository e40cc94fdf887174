import { expect, test } from 'vitest'

import { ApiError } from '../../../src/coordinator/http/errors.js'
import { readCommands } from '../../../src/coordinator/planning/commands.js'
import { mentionsIn } from '../../../src/coordinator/planning/mentions.js'
import { closingReferences } from '../../../src/coordinator/planning/references/closing.js'
import { findReferences } from '../../../src/coordinator/planning/references/find-references.js'
import { ReferenceBudget } from '../../../src/coordinator/planning/references/reference-budget.js'
import { suggestedBlocks } from '../../../src/coordinator/planning/suggestions-in.js'
import { tasksIn } from '../../../src/coordinator/planning/task-list.js'

// Texts of a user are read on the event loop. Whatever two things of their grammar are repeated, reading them must take
// time in proportion to their length: what takes more takes minutes at this length.

/** In characters. */
const LENGTH = 256 * 1024
/** The slowest of these texts take a twentieth of it. */
const MAX_MILLISECONDS = 1000

const TOKENS = [
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
  ...['/close', '/label ~a', '/shrug', '/', '/x', '```suggestion', '```suggestion:-1+1\n'],
]

const READERS: Record<string, (text: string) => unknown> = {
  references: (text) => {
    const kinds = ['issue', 'merge_request', 'snippet', 'label', 'milestone', 'commit', 'user'] as const
    return findReferences(text, {
      externalUrl: 'https://ci.test',
      wanted: new ReferenceBudget(kinds, Infinity),
    })
  },
  'closing references': (text) => closingReferences(text, { externalUrl: 'https://ci.test' }),
  mentions: mentionsIn,
  'quick actions': (text) => {
    try {
      return readCommands(text)
    } catch (error) {
      // There are too many of them.
      if (!(error instanceof ApiError)) throw error
      return undefined
    }
  },
  tasks: tasksIn,
  suggestions: suggestedBlocks,
}

test.each(Object.entries(READERS))('%s are read in time, whatever is repeated', (_, read) => {
  const slow: string[] = []
  for (const first of TOKENS) {
    for (const second of TOKENS) {
      const unit = first + second
      const text = unit.repeat(LENGTH / unit.length)
      const started = performance.now()
      read(text)
      const time = performance.now() - started
      if (time > MAX_MILLISECONDS) slow.push(`${JSON.stringify(unit)}: ${Math.round(time)} ms`)
    }
  }
  expect(slow).toEqual([])
})
