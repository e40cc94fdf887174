import type { V1Pod } from '@kubernetes/client-node'

import type { JobLog } from '../../../trace/job-log.js'
import type { PodEvent } from '../cluster/cluster.js'
import { findWaiting, plainMessage, podTitle } from './container-states.js'
import { haveAllBegun } from './pod-failures.js'

export interface StartReportOptions {
  log: Pick<JobLog, 'plain'>
  /** Whether the log has why the pod does not run yet, or only that it waits (`print_pod_warning_events`). */
  hasReasons: boolean
  /** See `PullAttempts`. */
  hasNewSecret: boolean
}

/** A node that tries again and again may find new words each time. */
const MAX_WARNINGS = 20
/** Warnings in the message of a pod that did not start in time. */
const MAX_DESCRIBED = 3

/**
 * What the log of a job has about its pod while that does not run yet: each sentence once, whichever part of the cluster says it. The
 * states of pod and containers are one source, and the warnings about the pod the other: only these say that a volume cannot be
 * mounted, or that the network of a pod cannot be set up.
 */
export class StartReport {
  private readonly written = new Set<string>()
  /** Reasons and sentences without what differs between two attempts. */
  private readonly kinds = new Set<string>()
  private readonly warnings: string[] = []

  constructor(private readonly options: StartReportOptions) {}

  recordState(pod: V1Pod): void {
    if (haveAllBegun(pod)) return
    const { phase = 'Pending' } = pod.status ?? {}
    this.write(`Waiting for pod ${podTitle(pod)} to be running, status is ${phase}`)
    if (!this.options.hasReasons) return
    for (const { reason = '', message } of findReasons(pod)) {
      const sentence = plainMessage(message)
      if (sentence !== '') this.write(sentence, `\t${reason}: "${sentence}"`)
    }
  }

  recordWarning(event: PodEvent): void {
    if (!this.options.hasReasons || this.isKnownOtherwise(event)) return
    const { reason = '' } = event
    const sentence = sentenceOf(event)
    const kind = `${reason} ${withoutNumbers(sentence)}`
    if (this.kinds.has(kind) || this.kinds.size >= MAX_WARNINGS) return
    this.kinds.add(kind)
    if (this.write(sentence, `\t${reason}: "${sentence}"`)) this.warnings.push(`${reason}: ${sentence}`)
  }

  /** The last warnings. For the message of a pod that did not start in time. */
  describe(): string[] {
    return this.warnings.slice(-MAX_DESCRIBED)
  }

  /** Returns false if the log has the sentence. */
  private write(sentence: string, line = sentence): boolean {
    if (this.written.has(sentence)) return false
    this.written.add(sentence)
    this.options.log.plain(line)
    return true
  }

  private isKnownOtherwise(event: PodEvent): boolean {
    const { reason = '' } = event
    // The secret is created after the pod that owns it.
    if (reason === 'FailedToRetrieveImagePullSecret' && this.options.hasNewSecret) return true
    const sentence = sentenceOf(event)
    return (
      KNOWN_OTHERWISE.has(reason) || sentence === '' || (reason === 'Failed' && ABOUT_IMAGE.test(sentence))
    )
  }
}

/** What conditions and the states of containers say as well, and the probes of services, which fail until they are ready. */
const KNOWN_OTHERWISE = new Set([
  'FailedScheduling',
  'BackOff',
  'ErrImageNeverPull',
  'InspectFailed',
  'Unhealthy',
])
/** Such as `Failed to pull image "alpine:9": not found`, and the name of a state alone, such as `ErrImagePull`. */
const ABOUT_IMAGE = /^(?:Failed to pull image |\w+$)/

function findReasons(pod: V1Pod): { reason?: string; message?: string }[] {
  const { conditions = [] } = pod.status ?? {}
  return [
    ...conditions.filter(({ status }) => status === 'False'),
    ...findWaiting(pod).map(({ waiting }) => waiting),
  ]
}

/** As the state of a container has it. */
function sentenceOf({ message }: PodEvent): string {
  const similar = /^\(combined from similar events\): /
  return plainMessage(
    plainMessage(message)
      .replace(similar, '')
      .replace(/^Error: /, ''),
  )
}

/** Names of sandboxes, addresses and times differ between two attempts. */
function withoutNumbers(sentence: string): string {
  return sentence.replace(/\b[0-9a-f]{8,}\b|\d[\d.:]*/g, '#')
}
