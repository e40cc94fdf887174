import { LocalAddressError } from '../../../egress/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { MINUTE } from '../../../lib/time-units.js'
import { DueWorker } from '../../background/due-worker.js'
import type { EngineEvents } from '../../ci/engine/engine-events.js'
import { isCompleted } from '../../ci/engine/job-status.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { nextDueAt } from '../../database/due-rows.js'
import type { JobRow, PipelineRow } from '../../database/tables/pipeline-rows.js'
import { afterCommit, inTransaction, type Transaction } from '../../database/transaction.js'
import type { EgressClient } from '../../egress/egress-client.js'
import { slackLink } from '../../integrations/services/format-message.js'
import type { CommandResponse } from './schema.js'
import {
  claimReply,
  deleteReply,
  type DueReply,
  findDueReplies,
  insertReply,
  setRepliesDue,
} from './store.js'

/** How long a chat service takes responses to a command, in milliseconds. */
const TAKEN_FOR = 30 * MINUTE
/** So long after an attempt without a response, another one is made: fewer than the five that Slack takes. */
const TRY_AGAIN_AFTER = 7 * MINUTE
const TIMEOUT = 10 * 1000
const MAX_BYTES = 8 * 1024
/** Longest output in a message, in characters; the end of a longer one is shown. */
const MAX_OUTPUT_LENGTH = 3000
const MAX_URL_LENGTH = 2048

export interface ChatReplyDeps {
  database: Database
  secrets: SecretBox
  egress: EgressClient
  externalUrl: string
  /** The output of a job that has ended, for the chat; undefined without one. */
  output: (job: JobRow) => Promise<string | undefined>
  logger: Logger
}

/** Responses to chat users when the jobs that their commands have started have ended. */
export class ChatReplies extends DueWorker<DueReply> {
  constructor(private readonly deps: ChatReplyDeps) {
    const { database, logger } = deps
    super({
      of: 'Responses to chats',
      find: (now, limit) => findDueReplies(database, now, limit),
      nextDueAt: () => nextDueAt(database, 'chat_reply'),
      claim: (reply) => claimReply(database, reply, Date.now() + TRY_AGAIN_AFTER),
      perform: (reply, signal) => respond(deps, reply, signal),
      logger,
    })
  }

  /** Sends a response to `url` when the pipeline has ended. Does nothing for what is no web address. */
  async expect(pipelineId: number, url: string): Promise<void> {
    if (!isWebAddress(url)) return
    const { database, secrets } = this.deps
    await inTransaction(database, async (tx) => {
      await insertReply(tx, {
        pipeline_id: pipelineId,
        url_encrypted: secrets.encrypt(url),
        due_at: null,
        expires_at: Date.now() + TAKEN_FOR,
      })
    })
    // It may have ended before the response was stored.
    const pipeline = await database
      .selectFrom('pipeline')
      .select('status')
      .where('id', '=', pipelineId)
      .executeTakeFirst()
    if (pipeline && isCompleted(pipeline.status)) {
      await inTransaction(database, (tx) => this.noticeEnded(tx, [pipelineId]))
    }
  }

  /** Makes the responses about pipelines due that have ended, when `tx` commits. */
  async notice(tx: Transaction, { pipelines }: Pick<EngineEvents, 'pipelines'>): Promise<void> {
    await this.noticeEnded(
      tx,
      pipelines.filter(({ status }) => isCompleted(status)).map(({ id }) => id),
    )
  }

  private async noticeEnded(tx: Transaction, pipelineIds: readonly number[]): Promise<void> {
    if (pipelineIds.length === 0 || !(await setRepliesDue(tx, pipelineIds))) return
    afterCommit(tx, () => this.schedule(0))
  }
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url) && url.length <= MAX_URL_LENGTH
}

async function respond(deps: ChatReplyDeps, reply: DueReply, signal: AbortSignal): Promise<void> {
  const { database, egress, secrets, logger } = deps
  const message = reply.expires_at > Date.now() ? await messageOf(deps, reply.pipeline_id) : undefined
  if (!message) return deleteReply(database, reply.id)
  try {
    const { status } = await egress.send({
      url: secrets.decrypt(reply.url_encrypted),
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
      timeout: TIMEOUT,
      maxBytes: MAX_BYTES,
      whenLonger: 'cut',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    })
    // It is due again later after an error of the server.
    if (status < 500) await deleteReply(database, reply.id)
    if (status >= 300) logger.info({ reply: reply.id, status }, 'A chat service did not take a response')
  } catch (error) {
    signal.throwIfAborted()
    if (!isNoResponse(error)) throw error
    logger.info({ err: error, reply: reply.id }, 'A chat service did not take a response')
    if (error instanceof LocalAddressError) await deleteReply(database, reply.id)
  }
}

/** Errors of the network and of the egress rules have a code. */
function isNoResponse(error: unknown): boolean {
  return error instanceof DOMException || (error instanceof Error && 'code' in error)
}

/** Undefined for a pipeline without a job, which was deleted. */
async function messageOf(deps: ChatReplyDeps, pipelineId: number): Promise<CommandResponse | undefined> {
  const { database, externalUrl } = deps
  const pipeline = await database
    .selectFrom('pipeline')
    .selectAll()
    .where('id', '=', pipelineId)
    .executeTakeFirst()
  const job = await database
    .selectFrom('job')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const project =
    pipeline &&
    (await database
      .selectFrom('project')
      .select('full_path')
      .where('id', '=', pipeline.project_id)
      .executeTakeFirst())
  if (!pipeline || !project || !job) return undefined
  const url = `${externalUrl}/${project.full_path}/-/pipelines/${pipeline.id}`
  const link = slackLink({ name: `pipeline #${pipeline.id}`, url })
  const head = `${plain(job.name)} ${outcomeOf(pipeline)} in ${link}`
  const output = await deps.output(job)
  return { response_type: 'in_channel', text: output ? `${head}\n${preformatted(output)}` : head }
}

function outcomeOf({ status }: PipelineRow): string {
  if (status === 'success') return 'has passed'
  if (status === 'failed') return 'has failed'
  return status === 'canceled' ? 'was canceled' : 'was skipped'
}

function preformatted(output: string): string {
  const text = output.length > MAX_OUTPUT_LENGTH ? `…${output.slice(-MAX_OUTPUT_LENGTH)}` : output
  return `\`\`\`\n${plain(text).replaceAll('```', "'''")}\n\`\`\``
}

function plain(text: string): string {
  return slackLink({ name: text, url: '' })
}
