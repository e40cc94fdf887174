/** Verbs whose past tense does not follow the rules below. */
const IRREGULAR: Record<string, string> = {
  Ban: 'Banned',
  Cancel: 'Canceled',
  Give: 'Gave',
  Keep: 'Kept',
  Let: 'Let',
  Make: 'Made',
  Put: 'Put',
  Reset: 'Reset',
  Run: 'Ran',
  Send: 'Sent',
  Resend: 'Resent',
  Set: 'Set',
  Star: 'Starred',
  Stop: 'Stopped',
  Take: 'Took',
  Transfer: 'Transferred',
  Unban: 'Unbanned',
  Unstar: 'Unstarred',
}

/**
 * The summary of an operation in the past tense: "Create a release; a missing tag is created" becomes "Created a
 * release". A text in the past tense is unchanged.
 */
export function pastTense(summary: string): string {
  // What follows is about further parameters, not about what was done.
  const [main = ''] = summary.split(/; |, or |, which /, 1)
  // "Update, close or reopen an issue" has several verbs.
  const [, verbs = '', rest = ''] =
    /^((?:[A-Z][a-z-]+)(?:, [a-z-]+)*(?: or [a-z-]+)?)( .*)?$/.exec(main) ?? []
  const [first = ''] = verbs.split(/, | or /, 1)
  if (first === '' || isPast(first)) return main
  return verbs.replaceAll(/[\w-]+/g, (word) => (word === 'or' ? word : past(word))) + rest
}

function isPast(verb: string): boolean {
  return verb.endsWith('ed')
}

function past(verb: string): string {
  const known = IRREGULAR[verb]
  if (known !== undefined) return known
  if (verb.endsWith('e')) return `${verb}d`
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`
}
