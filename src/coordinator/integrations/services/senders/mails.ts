import { ZERO_ID } from '../../../../git/names.js'
import type { NewMail } from '../../mail/mail-content.js'
import { logsOf } from '../../mail/pipeline-mails.js'
import { projectHeaders } from '../../mail/project-headers.js'
import { type MailBody, renderBody } from '../../mail/render-body.js'
import type { OutgoingMessage } from '../../webhooks/deliveries/outgoing-message.js'
import type { Fields } from '../fields.js'
import { Settings } from '../settings.js'
import { wantedMessage } from './chat.js'
import type { Happening, Sender } from './sender.js'

/** Recipients of one event. */
const MAX_RECIPIENTS = 100
/** Failed jobs that a mail names. */
const MAX_JOBS = 20
const ADDRESS = /^[^\s@<>,;"\\]{1,64}@[^\s@<>,;"\\]{1,255}$/

/** A mail about each push, with its commits and the diff. */
export const emailsOnPush: Sender = {
  send: async (happening) => {
    const { event, settings, facts } = happening
    const message = await wantedMessage(happening)
    const recipients = recipientsIn(settings)
    if (!message || recipients.length === 0) return []
    const [before, after] = [event.text('before'), event.text('after')]
    const hasDiff = settings.flag('disable_diffs') !== true && before !== ZERO_ID && after !== ZERO_ID
    const mail = {
      subject: `[${message.project.name}] ${message.summary}`,
      fromName: event.text('user_name'),
      ...(await renderBody({
        lead: [`${message.summary}.`],
        details: event.list('commits').map((commit) => commitLine(commit)),
        preformatted: hasDiff ? await facts.diff(before, after) : null,
        link: { label: 'View it', url: linkOf(event, message.url) },
        footer: [FOOTER],
      })),
    }
    const own = settings.flag('send_from_committer_email') === true ? event.text('user_email') : ''
    return mailsTo(happening, recipients, mail, ADDRESS.test(own) ? { 'Reply-To': own } : {})
  },
}

const FOOTER = 'You receive this mail because the settings of the project name your address.'

function commitLine(commit: Fields): [string, string] {
  const author = commit.at('author').text('name')
  return [commit.text('id').slice(0, 8), `${commit.text('title')} - ${author}`]
}

/** The comparison of a branch that was moved. */
function linkOf(event: Fields, url: string): string {
  const [before, after] = [event.text('before'), event.text('after')]
  if (before === ZERO_ID || after === ZERO_ID || event.text('object_kind') !== 'push') return url
  return `${event.at('project').text('web_url')}/-/compare/${before}...${after}`
}

/** A mail about each pipeline that has ended; by default, those of the default branch that have failed. */
export const pipelinesEmail: Sender = {
  send: async (happening) => {
    const { event, settings, facts } = happening
    const defaults = { notify_only_broken_pipelines: true, branches_to_be_notified: 'default' }
    const chosen =
      settings.flag('notify_only_default_branch') === false ? { branches_to_be_notified: 'all' } : {}
    const message = await wantedMessage({
      ...happening,
      settings: new Settings({ ...defaults, ...chosen, ...withoutNulls(settings) }),
    })
    if (!message || event.text('object_kind') !== 'pipeline') return []
    const isPusherTold = settings.flag('add_pusher') === true
    const pusher = isPusherTold ? await facts.emailOf(Number(event.at('user').text('id'))) : undefined
    const recipients = [...new Set([...recipientsIn(settings), ...(pusher === undefined ? [] : [pusher])])]
    const pipeline = event.at('object_attributes')
    const isFailed = pipeline.text('status') === 'failed'
    const title = `${isFailed ? 'Failed' : 'Successful'} pipeline for ${pipeline.text('ref')}`
    const subject = `${message.project.name} | ${title} | ${pipeline.text('sha').slice(0, 8)}`
    return mailsTo(
      happening,
      recipients,
      { subject, ...(await renderBody(await pipelineBody(happening, message.summary))) },
      {},
    )
  },
}

function withoutNulls({ values }: Settings): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''))
}

async function pipelineBody({ event, facts }: Happening, summary: string): Promise<MailBody> {
  const [project, pipeline] = [event.at('project'), event.at('object_attributes')]
  const failed = event
    .list('builds')
    .filter((job) => job.text('status') === 'failed' && !job.flag('allow_failure'))
    .slice(0, MAX_JOBS)
    .map((job) => ({ id: Number(job.text('id')), name: job.text('name') }))
  return {
    lead: [`${summary}.`],
    details: [
      ['Project', project.text('path_with_namespace')],
      [pipeline.flag('tag') ? 'Tag' : 'Branch', pipeline.text('ref')],
      ['Commit', `${pipeline.text('sha').slice(0, 8)} ${event.at('commit').text('title')}`],
      ...failed.map(({ id, name }): [string, string] => [
        `Failed: ${name}`,
        `${project.text('web_url')}/-/jobs/${id}`,
      ]),
    ],
    preformatted: await logsOf(failed, ({ id }) => facts.logFailure(id)),
    link: { label: 'View this pipeline', url: pipeline.text('url') },
    footer: [FOOTER],
  }
}

/** The addresses in the settings, with spaces or commas between them. */
export function recipientsIn(settings: Settings): string[] {
  const addresses = settings.text('recipients').split(/[\s,;]+/)
  return [...new Set(addresses.filter((address) => ADDRESS.test(address)))].slice(0, MAX_RECIPIENTS)
}

function mailsTo(
  { event, key }: Happening,
  recipients: readonly string[],
  mail: Pick<NewMail, 'subject' | 'text' | 'html' | 'fromName'>,
  headers: Record<string, string>,
): OutgoingMessage[] {
  if (recipients.length === 0) return []
  const project = event.at('project')
  const host = new URL(project.text('web_url')).hostname
  const of = {
    id: Number(project.text('id')),
    name: project.text('name'),
    full_path: project.text('path_with_namespace'),
  }
  const mails = recipients.map((address, index): NewMail => ({
    ...mail,
    userId: null,
    to: { name: '', address },
    // Equal for all attempts, so that mail servers recognize what is sent twice.
    messageId: `${key}-${index}@${host}`,
    headers: { ...projectHeaders(of, host), ...headers },
  }))
  return [{ kind: 'mail', mails }]
}
