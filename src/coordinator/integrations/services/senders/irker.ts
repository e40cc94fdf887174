import { ZERO_ID } from '../../../../git/names.js'
import { branchIn } from '../branch-in.js'
import type { Fields } from '../fields.js'
import type { Settings } from '../settings.js'
import type { Sender } from './sender.js'

const IRKER_PORT = 6659
/** Commits of a push that are shown. */
const MAX_COMMITS = 3
const MAX_LINE_LENGTH = 300

/** Lines for IRC channels: an object of JSON for each, to a server of irker, which does not respond. */
export const irker: Sender = {
  send: ({ event, settings }) => {
    const to = channelsOf(settings)
    const lines = event.text('object_kind') === 'push' && to.length > 0 ? linesOf(event, settings) : []
    if (lines.length === 0) return []
    return [
      {
        kind: 'socket',
        host: settings.text('server_host') || 'localhost',
        port: Number(settings.text('server_port')) || IRKER_PORT,
        body: lines.map((privmsg) => `${JSON.stringify({ to, privmsg })}\n`).join(''),
      },
    ]
  },
}

/** The recipients as URLs: `irc://irc.example.net/team`. Others than whole URLs belong to the default server. */
export function channelsOf(settings: Settings): string[] {
  const base = settings.text('default_irc_uri')
  const names = settings
    .text('recipients')
    .split(/\s+/)
    .filter((name) => name !== '')
  return names.flatMap((name) => {
    const url = isIrc(name) ? name : `${base.replace(/\/+$/, '')}/${name}`
    return isIrc(url) ? [url] : []
  })
}

function isIrc(url: string): boolean {
  return /^ircs?:\/\/[^/\s]+\/\S+$/.test(url)
}

const BOLD = '\u0002'
const PLAIN = '\u000f'
const color = (code: string) => (text: string) => `\u0003${code}${text}${PLAIN}`
const STYLES = {
  project: (text: string) => `${BOLD}${text}${PLAIN}`,
  user: color('03'),
  branch: color('07'),
  url: color('12'),
}
type Styles = typeof STYLES
const PLAIN_STYLES: Styles = { project: String, user: String, branch: String, url: String }

function linesOf(event: Fields, settings: Settings): string[] {
  const styles = settings.flag('colorize_messages') === true ? STYLES : PLAIN_STYLES
  const project = event.at('project')
  const head = `[${styles.project(clean(project.text('path_with_namespace')))}] ${styles.user(clean(event.text('user_name')))}`
  const branch = styles.branch(clean(branchIn(event) ?? ''))
  if (event.text('after') === ZERO_ID) return [`${head} deleted branch ${branch}`]
  const total = Number(event.text('total_commits_count'))
  const commits = `${total} new ${total === 1 ? 'commit' : 'commits'}`
  const [before, after] = [event.text('before'), event.text('after')]
  const isNew = before === ZERO_ID
  const page = isNew
    ? `${project.text('web_url')}/-/commits/${encodeURIComponent(branchIn(event) ?? '')}`
    : `${project.text('web_url')}/-/compare/${before}...${after}`
  const what = isNew ? `created branch ${branch}` : `pushed ${commits} to ${branch}`
  const shown = event.list('commits').slice(-MAX_COMMITS)
  return [
    `${head} ${what}: ${styles.url(page)}`,
    ...shown.map((commit) => {
      const author = styles.user(clean(commit.at('author').text('name')))
      return `${branch} ${author} ${commit.text('id').slice(0, 8)}: ${clean(commit.text('title'))}`
    }),
  ]
}

/** Without line ends and other control characters, which begin commands of IRC. */
function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what no line may hold
  return text.replaceAll(/[\x00-\x20\x7f]+/g, ' ').slice(0, MAX_LINE_LENGTH)
}
