/** A command as a chat user writes it. */
export type Command =
  | { kind: 'help' }
  | { kind: 'unknown' }
  | { kind: 'new-issue'; title: string; description: string }
  | { kind: 'show-issue' | 'close-issue'; iid: number }
  | { kind: 'search-issues'; text: string }
  | { kind: 'run'; job: string; input: string }
  | { kind: 'deploy'; from: string; to: string }

export const USAGE = [
  'help',
  'issue new <title> (and on the next line, the description)',
  'issue show <number>',
  'issue close <number>',
  'issue search <text>',
  'run <job> <input>',
  'deploy <environment> to <environment>',
]

const NEW_ISSUE = /^issue +(?:new|create) +(\S[^\n]*)(?:\n([^]*))?$/
const ISSUE = /^issue +(show|close) +#?(\d{1,9})$/
const SEARCH = /^issue +search +(\S[^\n]*)$/
const RUN = /^run +(\S+)(?:\s([^]*))?$/
const DEPLOY = /^deploy +(\S[^\n]*)$/

/** Takes time linear in the length of the text. */
export function parseCommand(written: string): Command {
  const text = written.trim()
  if (text === '' || text === 'help') return { kind: 'help' }
  const [, title, description = ''] = NEW_ISSUE.exec(text) ?? []
  if (title !== undefined) return { kind: 'new-issue', title: title.trim(), description: description.trim() }
  const [, verb, iid] = ISSUE.exec(text) ?? []
  if (verb !== undefined) return { kind: verb === 'show' ? 'show-issue' : 'close-issue', iid: Number(iid) }
  const [, searched] = SEARCH.exec(text) ?? []
  if (searched !== undefined) return { kind: 'search-issues', text: searched }
  const [, job, input = ''] = RUN.exec(text) ?? []
  if (job !== undefined) return { kind: 'run', job, input: input.trim() }
  const [, environments = ''] = DEPLOY.exec(text) ?? []
  const [from = '', to = ''] = environments.split(' to ').map((name) => name.trim())
  return from !== '' && to !== '' ? { kind: 'deploy', from, to } : { kind: 'unknown' }
}
