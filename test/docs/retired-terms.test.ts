import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { type TextFile, textFiles } from './text-files.js'

/** A term that the code and its documents no longer use, and what to write instead. */
interface RetiredTerm {
  term: RegExp
  use: string
}

const RETIRED: readonly RetiredTerm[] = [
  { term: /doorkeeper/i, use: 'job-token allowlist' },
  { term: /kept-?answers/i, use: 'response cache' },
  { term: /leave-?trail/i, use: 'audit' },
  { term: /\bSpoils\b/, use: 'outputs' },
  { term: /\bHole\b/, use: 'placeholder' },
  { term: /git-?turns?\b|git turns?\b/i, use: 'git semaphore, slot' },
  { term: /lets?In[A-Z]/, use: 'job-token allowlist' },
  { term: /\bold-?paths\b/i, use: 'redirects' },
  { term: /\bupkeep\b/i, use: 'housekeeping' },
  { term: /\bnone the less\b/i, use: 'nevertheless' },
  { term: /\bturned away\b/i, use: 'rejected' },
  { term: /\bhand(ed)?-?out\b|\bhand(ed|s)? out\b/i, use: 'dispatch' },
  { term: /\bhands? over\b|\bhanded over\b|handOver/i, use: 'start downstream, transfer' },
  { term: /obstacle|why-?it-?waits|what-?they-?wait-?for/i, use: 'pending reason' },
  { term: /\bLack\b|runnerLacks/, use: 'missing capability' },
  { term: /\bdescent\b|[fF]amilyOf|InFamily/i, use: 'pipeline hierarchy, ancestors' },
  { term: /tellBridges|cancelBelow|dropBridgeTask|withdrawCreation/, use: 'notify, cancel, delete' },
  { term: /LAST_TURNS|last-turns/, use: 'commit order' },
  { term: /\bWish\b|[a-z]Wish\b/, use: 'request' },
  { term: /\bLooking\b|\bAsking\b/, use: 'the name of the thing: call, query, viewer' },
  { term: /\binsist/i, use: 'retry' },
  { term: /fetch-?patiently/i, use: 'fetch with retries' },
  { term: /brings? home|bringHome/i, use: 'complete' },
  { term: /\bunheard\b|\bhearOf\b/, use: 'uncontacted, receive' },
  { term: /host-?care(?!')/i, use: 'disk cleanup' },
  { term: /\bduty\b|\bduties\b/i, use: 'periodic task' },
  { term: /\bwiring\b/i, use: 'services, composition root' },
  { term: /\blanes?\b/i, use: 'queue partition' },
  { term: /equipment/i, use: 'runtime' },
  { term: /settle-?(bridges|dependencies|in-?order|resource|at-?the)/i, use: 'resolve, assign' },
  { term: /\bgive-up\.|giveUpPipeline/, use: 'abort' },
  { term: /\bshareOut\b|given-?to-?job/i, use: 'assign, job parameters' },
  { term: /pause-?book|use-?book/i, use: 'pause state, LRU index' },
  {
    term: /gone-?meanwhile|many-?or-?few|job-?token-?reach/i,
    use: 'concurrent deletions, list sizes, token operations',
  },
  { term: /\bPerformance\b/, use: 'JobExecution' },
  { term: /\bloseJob\b|\blose-job\b/, use: 'expire the lease' },
  { term: /start(ed)?-?by-?hand/i, use: 'manual job' },
  { term: /RetriedByItself/, use: 'automatic retry' },
  { term: /WhatMayBe\b/, use: 'the name of the thing' },
  { term: /\btakeBack/, use: 'requeue, revert, revoke' },
  { term: /fair-?turn/i, use: 'fairness lock' },
  { term: /\b(does|did) not answer\b/, use: 'does not respond' },
  { term: /\blets? (it|them) in\b|\blet in\b/, use: 'allowed, job-token allowlist' },
  { term: /\bannounce[A-Z]|\bannouncement/, use: 'notify, emit, report' },
  { term: /HostThings|ThingKind/, use: 'cleanup item' },
  { term: /\b(leave|take)Paths?[A-Z]/, use: 'add redirect, delete redirect' },
  { term: /\bkeep(Hooks|Payload|Claim|AuditEvent)\b/, use: 'lock, store, renew' },
  { term: /\b(MOST|LONGEST|LARGEST|MAXIMUM)_[A-Z]/, use: 'MAX_' },
  { term: /\bthe[A-Z]/, use: 'require…, for what is found or fails with 404' },
  { term: /[a-z]Question\b/, use: 'request, query, parameters' },
  { term: /\bplaces?Of\b/, use: 'the name of what is found: owner, position, path, destination' },
  { term: /\bbring(Objects|Head)\b/, use: 'copy, fetch' },
  { term: /[a-z]Sendings?\b|\bSending\b|\bsendings/, use: 'outgoing message' },
  { term: /\b(SignIn|every)?Way\b/, use: 'the name of the thing: method, path, context' },
  { term: /\bshelves\b|\bnoun\b|type Done\b|\blook\(/, use: 'target, label, result, poll' },
  {
    term: /(?<!on|Piped)Answers?\b(?=.*[:=({])|\bAnswer[A-Z]|ANSWER|\banswers: \{|\b(server|coordinator|API|request)s? answer/,
    use: 'response; answers are given to questions',
  },
  { term: /(?<!\{)\.\.\.\{/, use: 'plain properties instead of a spread of an object literal' },
]

/** Databases keep the names of tables, indexes and migrations, so these keep the terms of their time. */
const MIGRATIONS = 'src/coordinator/database/migrations/'
/** This file itself. */
const TABLE = 'test/docs/retired-terms.test.ts'

function sources(): TextFile[] {
  return [
    ...textFiles('src', '.ts'),
    ...textFiles('src', '.tsx'),
    ...textFiles('test', '.ts'),
    ...textFiles('docs', '.md'),
    { path: 'README.md', text: readFileSync('README.md', 'utf8') },
  ].filter((file) => !file.path.startsWith(MIGRATIONS) && file.path !== TABLE)
}

/** The retired terms in the path and the lines of a file. */
function problemsOf({ path, text }: TextFile, retired: readonly RetiredTerm[] = RETIRED): string[] {
  const found = retired.filter(({ term }) => term.test(path) || term.test(text))
  if (found.length === 0) return []
  const places = [
    { place: path, line: path },
    ...text.split('\n').map((line, index) => ({ place: `${path}:${index + 1}`, line })),
  ]
  return places.flatMap(({ place, line }) =>
    found.flatMap(({ term, use }) => {
      const match = term.exec(line)
      return match ? [`${place}: "${match[0].trim()}": use "${use}"`] : []
    }),
  )
}

describe('retired terms', () => {
  test('do not occur in code, tests or documents', () => {
    expect(sources().flatMap((file) => problemsOf(file))).toEqual([])
  })

  test('are reported with file, line and replacement', () => {
    const retired = [{ term: /\bold word\b/i, use: 'new word' }]
    const file = { path: 'docs/page.md', text: 'First line\nThe Old word here\n' }
    expect(problemsOf(file, retired)).toEqual(['docs/page.md:2: "Old word": use "new word"'])
  })
})
