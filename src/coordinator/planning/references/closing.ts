import { findReferences, MAX_SEARCHED } from './find-references.js'
import { ReferenceBudget } from './reference-budget.js'
import type { ReferenceOf } from './reference.js'

export type IssueReference = ReferenceOf<'issue'>

const KEYWORD =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +(?:issues? +)?/gi

/** How many references to issues are read of one text that closes some. */
const MAX_ISSUES = 1000

/**
 * The issues that a text closes: `Closes #1`, `Fixes: #1, #2 and group/app#3`, `Implements <URL of an issue>`, with
 * any form of the verbs close, fix, resolve and implement (API, A16). In their order, each once as it is written.
 */
export function closingReferences(text: string, { externalUrl }: { externalUrl: string }): IssueReference[] {
  const searched = text.slice(0, MAX_SEARCHED)
  if (searched.search(KEYWORD) === -1) return []
  const wanted = new ReferenceBudget(['issue'], MAX_ISSUES)
  const issues = new Map(
    findReferences(text, { externalUrl, wanted }).map((reference) => [reference.start, reference]),
  )
  if (issues.size === 0) return []
  const closed = new Map<string, IssueReference>()
  for (const { index, 0: keyword } of searched.matchAll(KEYWORD)) {
    let issue = issues.get(index + keyword.length)
    while (issue) {
      closed.set(`${issue.project ?? ''}#${issue.iid}`, issue)
      issue = issues.get(afterSeparator(searched, issue.end))
    }
  }
  return [...closed.values()]
}

/** Where the next issue of an enumeration begins: after a space, a comma, `and`, or a comma with `and`. */
function afterSeparator(text: string, end: number): number {
  let at = afterSpaces(text, end)
  if (text.charAt(at) === ',') at = afterSpaces(text, at + 1)
  if (/^and $/i.test(text.slice(at, at + 4))) at = afterSpaces(text, at + 4)
  const keyword = /^issues? /i.exec(text.slice(at, at + 7))
  return keyword ? afterSpaces(text, at + keyword[0].length) : at
}

function afterSpaces(text: string, from: number): number {
  let at = from
  while (text.charAt(at) === ' ') at += 1
  return at
}
