import { isLoopbackHost } from '../../../lib/is-loopback-host.js'
import { SET_UP_STEPS, type SetUpRecord, type SetUpStep } from '../../database/stores/set-up-store.js'
import type { SetUp } from './schema.js'

/** What the steps depend on. */
export interface SetUpFacts {
  externalUrl: string
  /** Whether the settings name that URL. */
  isUrlConfigured: boolean
  sendsMails: boolean
  /** Labels of the identity providers. */
  providers: readonly string[]
  administrator: { hasPassword: boolean; hasIdentity: boolean; hasPasskey: boolean }
  counts: { groups: number; projects: number }
  runners: { online: number; total: number }
  /** ISO 8601; undefined without a record of a backup. */
  lastBackupAt: string | undefined
}

interface Judgement {
  isDone: boolean
  /** What is the case, and if it is not done, what to do. */
  message: string
}

/** A new step is one more row. */
const JUDGEMENTS: Record<SetUpStep, (facts: SetUpFacts, record: SetUpRecord) => Judgement> = {
  address: judgeAddress,
  mail: judgeMail,
  sign_in: judgeSignIn,
  group: ({ counts }) =>
    counts.groups > 0
      ? done(`There ${counts.groups === 1 ? 'is one group' : `are ${counts.groups} groups`}.`)
      : open(
          'There is no group. Projects of a team are in a group, with its members, variables and runners.',
        ),
  runner: judgeRunner,
  project: ({ counts }) =>
    counts.projects > 0
      ? done(`There ${counts.projects === 1 ? 'is one project' : `are ${counts.projects} projects`}.`)
      : open('There is no project. Import one, or create one.'),
  backup: ({ lastBackupAt }) =>
    lastBackupAt === undefined
      ? open('There is no record of a backup.')
      : done(`The last backup was complete at ${lastBackupAt}.`),
}

/** The state of each step. What is done does not count as skipped. */
export function stepsOf(facts: SetUpFacts, record: SetUpRecord): SetUp['steps'] {
  return SET_UP_STEPS.map((name) => {
    const { isDone, message } = JUDGEMENTS[name](facts, record)
    const state = isDone ? 'done' : record.skipped.has(name) ? 'skipped' : 'open'
    return { name, state, message }
  })
}

function judgeAddress({ externalUrl, isUrlConfigured }: SetUpFacts): Judgement {
  const { protocol, hostname } = new URL(externalUrl)
  if (!isUrlConfigured) {
    return open(`Links and clone addresses begin with ${externalUrl}, because external_url is not set.`)
  }
  if (protocol === 'https:') return done(`Links and clone addresses begin with ${externalUrl}.`)
  return isLoopbackHost(hostname)
    ? done(`Links and clone addresses begin with ${externalUrl}, which is for this machine only.`)
    : open(`Passwords and tokens pass unencrypted, because external_url is ${externalUrl}.`)
}

function judgeMail({ sendsMails }: SetUpFacts, { mailTestedAt }: SetUpRecord): Judgement {
  if (!sendsMails) {
    return open('No mails are sent: nobody can confirm an address, or choose a new password by mail.')
  }
  return mailTestedAt === undefined
    ? open('A mail server is set. Send a test to see that it takes mails.')
    : done(`The mail server took a test at ${new Date(mailTestedAt).toISOString()}.`)
}

function judgeSignIn({ administrator, providers }: SetUpFacts): Judgement {
  const { hasPassword, hasIdentity, hasPasskey } = administrator
  const ways = [
    ...(hasPassword ? ['a password'] : []),
    ...(hasPasskey ? ['a passkey'] : []),
    ...(hasIdentity ? ['an identity provider'] : []),
  ]
  const others = providers.length === 0 ? '' : ` Users sign in with ${providers.join(', ')}.`
  return ways.length === 0
    ? open(`Your account has no password, passkey or identity: only tokens and links open it.${others}`)
    : done(`You sign in with ${ways.join(' or ')}.${others}`)
}

function judgeRunner({ runners: { online, total } }: SetUpFacts): Judgement {
  if (online > 0) return done(online === 1 ? 'One runner is online.' : `${online} runners are online.`)
  return open(total === 0 ? 'There is no runner, so jobs wait.' : 'No runner is online, so jobs wait.')
}

function done(message: string): Judgement {
  return { isDone: true, message }
}

function open(message: string): Judgement {
  return { isDone: false, message }
}
