import { FLUSH, pktLine, sideband } from '../../../../git/pkt-line.js'
import type { PushHead } from './push-head.js'

/**
 * The response to a push that moves no ref, in the format that the client requested. It has the reasons as
 * text, which the client shows after `remote:`, and reports every ref as declined. Empty for a client that
 * requests no report.
 */
export function refusalReport(head: PushHead, reasons: string[]): Buffer {
  const report = wantsReport(head) ? declined(head) : Buffer.alloc(0)
  if (!head.capabilities.has('side-band-64k')) return report
  const text = reasons.map((reason) => `${reason}\n`).join('')
  return Buffer.concat([sideband(2, text), sideband(1, report), FLUSH])
}

/** Whether the client wants a result for each ref. */
export function wantsReport({ capabilities }: PushHead): boolean {
  return capabilities.has('report-status') || capabilities.has('report-status-v2')
}

function declined({ changes }: PushHead): Buffer {
  const lines = changes.map(({ ref }) => pktLine(`ng ${ref} pre-receive hook declined\n`))
  return Buffer.concat([pktLine('unpack ok\n'), ...lines, FLUSH])
}
