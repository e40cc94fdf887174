import { findReferences, type Reference } from './find-references.js'

export type IssueReference = Extract<Reference, { iid: number }> & { kind: 'issue' }

const KEYWORD =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +(?:issues? +)?/gi

/**
 * The issues that a text closes: `Closes #1`, `Fixes: #1, #2 and group/app#3`, `Implements <URL of an issue>`, with
 * any form of the verbs close, fix, resolve and implement (API, A16). In their order, each once as it is written.
 */
export function closingReferences(text: string, options: { externalUrl: string }): IssueReference[] {
  const issues = new Map(
    findReferences(text, options)
      .filter(isIssue)
      .map((reference) => [reference.start, reference]),
  )
  const closed = new Map<string, IssueReference>()
  for (const { index, 0: keyword } of text.matchAll(KEYWORD)) {
    let issue = issues.get(index + keyword.length)
    while (issue) {
      closed.set(`${issue.project ?? ''}#${issue.iid}`, issue)
      issue = issues.get(afterSeparator(text, issue.end))
    }
  }
  return [...closed.values()]
}

export function isIssue(reference: Reference): reference is IssueReference {
  return reference.kind === 'issue'
}

/** Where the next issue of an enumeration begins: after a space, a comma, `and`, or a comma with `and`. */
function afterSeparator(text: string, end: number): number {
  let at = afterSpaces(text, end)
  if (text.charAt(at) === ',') at = afterSpaces(text, at + 1)
  if (/^and $/i.test(text.slice(at, at + 4))) at = afterSpaces(text, at + 4)
  const noun = /^issues? /i.exec(text.slice(at, at + 7))
  return noun ? afterSpaces(text, at + noun[0].length) : at
}

function afterSpaces(text: string, from: number): number {
  let at = from
  while (text.charAt(at) === ' ') at += 1
  return at
}
