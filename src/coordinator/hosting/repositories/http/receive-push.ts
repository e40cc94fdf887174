import { Readable } from 'node:stream'

import { ByteReader } from '../../../../git/byte-reader.js'
import { PktLineError } from '../../../../git/errors.js'
import { ZERO_ID } from '../../../../git/names.js'
import { FLUSH, sideband } from '../../../../git/pkt-line.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import type { RefChange } from '../../../database/tables/repositories.js'
import { findPushRule } from '../../push-rule-store.js'
import { changedFiles } from '../changed-files.js'
import { InvalidPushError } from '../errors.js'
import { handlePush, type PushDeps, type Say } from '../push/handle-push.js'
import { pusherEnvironment } from '../push/has-moved.js'
import { ignoredNote, ignoredReport, isIgnored, withIgnored } from '../push/ignored-refs.js'
import { needsCommits, quoted } from '../push/list-new-commits.js'
import { ownedChanges } from '../push/owned-changes.js'
import { planPush } from '../push/plan-push.js'
import { pushGuard } from '../push/push-guard.js'
import { type PushHead, pushOf, readPushHead } from '../push/push-head.js'
import { refusalReport } from '../push/push-report.js'
import { changesForOwners, forwardOnlyRefs, type PushSituation, refusalsOf } from '../push/ref-rules.js'
import { runGuard } from '../push/run-guard.js'
import { deleteStaleLocksOf } from '../stale-locks.js'
import { insertPush, listProtectedRefs, type Push } from '../store.js'
import type { AdmittedPusher } from './git-access.js'
import { gitError } from './git-refused-error.js'
import { type RunningService, serve } from './git-service.js'
import { acquireGitSlot } from './git-slot.js'

export interface PushRequest {
  pusher: AdmittedPusher
  /** Decompressed body. */
  body: AsyncIterable<Buffer>
  protocol: string | undefined
  signal: AbortSignal
  /** Whether the client may read the response before its body has ended, as over SSH. It may then end the body only later. */
  isDuplex?: boolean
  /** Lines that the client shows after `remote:` if the push is accepted. */
  greet?: () => string[]
}

/**
 * Handles a push. Its head is parsed and checked before git gets any data. A refused push moves no ref, and
 * the response gives the reasons. An accepted push is recorded and passed to git, and the response ends when its
 * pipelines are created.
 */
export async function receivePush(deps: PushDeps, request: PushRequest): Promise<Buffer | Readable> {
  const reader = new ByteReader(request.body)
  const whole = await readHead(reader)
  if (whole.changes.length === 0) return Buffer.alloc(0)
  const ignored = whole.changes.filter(isIgnored)
  const head = pushWithout(whole, ignored)
  const situation = await situationOf(deps, request.pusher, head)
  const refusals = [...refusalsOf(situation), ...foreignRefs(request.pusher, head)]
  if (refusals.length > 0) return respondOnly(refusalReport(whole, refusals), request, reader)
  if (head.changes.length === 0) return respondOnly(ignoredReport(whole, ignored), request, reader)
  return acceptPush(deps, request, { head, ignored, situation }, reader)
}

function pushWithout(head: PushHead, ignored: RefChange[]): PushHead {
  if (ignored.length === 0) return head
  return pushOf(
    head,
    head.changes.filter((change) => !ignored.includes(change)),
  )
}

/** Responds to a push that git does not get. */
async function respondOnly(
  report: Buffer,
  { isDuplex }: PushRequest,
  reader: ByteReader,
): Promise<Buffer | Readable> {
  if (isDuplex) return Readable.from(reportThenRest(report, reader))
  await readOver(reader)
  return report
}

/** A push that was checked. */
interface CheckedPush {
  head: PushHead
  /** Changes that git does not get. */
  ignored: RefChange[]
  situation: PushSituation
}

/**
 * Users who may push only to the branch of a merge request of a fork cannot push to other refs, and cannot delete the
 * branch.
 */
function foreignRefs({ onlyBranches }: AdmittedPusher, { changes }: PushHead): string[] {
  if (!onlyBranches) return []
  const isAllowed = ({ ref, after }: PushHead['changes'][number]) =>
    after !== ZERO_ID && onlyBranches.some((branch) => ref === `refs/heads/${branch}`)
  return changes.every(isAllowed) ? [] : ['You are not allowed to push code to this project.']
}

async function readHead(reader: ByteReader): Promise<PushHead> {
  try {
    return await readPushHead(reader)
  } catch (error) {
    if (error instanceof InvalidPushError || error instanceof PktLineError) {
      throw gitError('git_push_malformed', { reason: error.message })
    }
    throw error
  }
}

async function situationOf(deps: PushDeps, pusher: AdmittedPusher, head: PushHead): Promise<PushSituation> {
  return {
    changes: head.changes,
    accessLevel: pusher.accessLevel,
    protectedRefs: await listProtectedRefs(deps.database, pusher.project.id, pusher.user.id),
    defaultBranch: pusher.project.default_branch,
    pushRule: await findPushRule(deps.database, { column: 'project_id', id: pusher.project.id }),
  }
}

async function acceptPush(
  deps: PushDeps,
  request: PushRequest,
  checked: CheckedPush,
  reader: ByteReader,
): Promise<Readable> {
  const { project } = request.pusher
  // A client of SSH may be silent between its commands and the pack. Nobody should wait for it.
  if (request.isDuplex && tipsOf(checked.head).length > 0) await reader.hasMore()
  const releaseSlot = await acquireGitSlot(deps.repositories, project.id, 'writing', request.signal)
  try {
    return await servePush(deps, request, checked, reader, releaseSlot)
  } catch (error) {
    releaseSlot()
    throw error
  }
}

/** `releaseSlot` is called when git has ended. */
async function servePush(
  deps: PushDeps,
  request: PushRequest,
  { head, ignored, situation }: CheckedPush,
  reader: ByteReader,
  releaseSlot: () => void,
): Promise<Readable> {
  const { project, user } = request.pusher
  const { pushRule } = situation
  const forOwners = changesForOwners(situation)
  const ruleOfCommits = pushRule && needsCommits(pushRule) ? pushRule : undefined
  const checksCommits = ruleOfCommits !== undefined || forOwners.length > 0
  const guarded = { forwardOnly: forwardOnlyRefs(situation), checksCommits }
  const guard = await pushGuard(deps.repositories.root, guarded)
  const limits = await effectiveSettings(
    deps.database,
    'push_event_activities_limit',
    'push_event_hooks_limit',
    'receive_max_input_size',
  )
  const push = await insertPush(deps.database, {
    projectId: project.id,
    userId: user.id,
    ...planPush(head.changes, project.default_branch, {
      hooks: limits.push_event_hooks_limit,
      activities: limits.push_event_activities_limit,
    }),
    options: head.options,
  })
  const gitDir = deps.repositories.path(project.id)
  await deleteStaleLocksOf(
    gitDir,
    head.changes.map(({ ref }) => ref),
  )
  // Git reads no pack if all it gets are deletions, though the client sends one for the refs that git does not get.
  const isPackUnread = ignored.length > 0 && tipsOf(head).length === 0
  const service = await serve('git-receive-pack', headThenRest(head, reader, isPackUnread), {
    gitDir,
    protocol: request.protocol,
    signal: request.signal,
    settings: { ...guard.settings, 'receive.maxInputSize': `${limits.receive_max_input_size ?? 0}m` },
    environment: { ...guard.environment, ...pusherEnvironment(push.id, user.email) },
    hasChannel: checksCommits,
  })
  void service.ended.then(releaseSlot)
  if (service.channel) {
    void runGuard(deps, service.channel, {
      pushRule: ruleOfCommits,
      user,
      pushId: push.id,
      gitDir,
      ids: tipsOf(head),
      problemsWith: (quarantine) =>
        ownedChanges(deps.repositories, project.id, forOwners, (before, after) =>
          changedFiles(gitDir, before, after, { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(quarantine) }),
        ),
    })
  }
  const lines: string[] = []
  const handled = whenEnded(deps, service, push, (line) => lines.push(line))
  const notes = ignored.length > 0 ? [ignoredNote(ignored)] : []
  const greeting = greetingOf(head, [...notes, ...(request.greet?.() ?? [])])
  const closing = () => greetingOf(head, lines)
  const output = withIgnored(service.output as AsyncIterable<Buffer>, head, ignored)
  return Readable.from(outputThen(greeting, output, handled, closing, isPackUnread ? reader : undefined))
}

function tipsOf({ changes }: PushHead): string[] {
  return changes.map(({ after }) => after).filter((after) => after !== ZERO_ID)
}

/** Reads the rest of the body: a client sends its whole pack before it reads the response. */
async function readOver(reader: ByteReader): Promise<void> {
  const rest = reader.rest()
  while (!(await rest.next()).done);
}

/** Waiting for the end of the body first would be a deadlock: without a pack, a client ends it after the response. */
async function* reportThenRest(report: Buffer, reader: ByteReader): AsyncGenerator<Buffer> {
  if (report.length > 0) yield report
  await readOver(reader)
}

async function* headThenRest(
  head: PushHead,
  reader: ByteReader,
  isPackUnread: boolean,
): AsyncGenerator<Buffer> {
  yield head.raw
  if (!isPackUnread) yield* reader.rest()
}

function greetingOf({ capabilities }: PushHead, lines: string[]): Buffer {
  if (lines.length === 0 || !capabilities.has('side-band-64k')) return Buffer.alloc(0)
  return sideband(2, lines.map((line) => `${line}\n`).join(''))
}

async function* outputThen(
  greeting: Buffer,
  output: AsyncIterable<Buffer>,
  handled: Promise<void>,
  closing: () => Buffer,
  unread: ByteReader | undefined,
): AsyncGenerator<Buffer> {
  if (greeting.length > 0) yield greeting
  let end: Buffer = Buffer.alloc(0)
  for await (const chunk of output) {
    const known = Buffer.concat([end, chunk])
    const at = Math.max(0, known.length - FLUSH.length)
    if (at > 0) yield known.subarray(0, at)
    end = known.subarray(at)
  }
  await handled
  // The client reads no line behind the end of the response.
  const lines = end.equals(FLUSH) ? closing() : Buffer.alloc(0)
  yield Buffer.concat([lines, end])
  if (unread) await readOver(unread)
}

/** Runs even if the client has disconnected. */
async function whenEnded(deps: PushDeps, service: RunningService, push: Push, say: Say): Promise<void> {
  const end = await service.ended
  if (end.exitCode !== 0) deps.logger.warn({ ...end, push: push.id }, 'git-receive-pack failed')
  await handlePush(deps, push, say)
}
