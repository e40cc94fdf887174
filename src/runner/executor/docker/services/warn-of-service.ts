import type { Container } from 'dockerode'

import type { JobLog } from '../../../trace/job-log.js'
import { lastOutput } from './service-logs.js'

const YELLOW = '\x1b[0;33m'
const RESET = '\x1b[0;m'

/**
 * Tells why a service may not be of use, with its own last words, in one piece: other services, and the job, write to
 * the same log (runner protocol, 7.8).
 */
export async function warnOfService(
  log: JobLog,
  container: Container,
  name: string,
  why: string,
): Promise<void> {
  const output = await lastOutput(container)
  const block = [
    `\n${YELLOW}*** WARNING:${RESET} Service ${name} probably didn't start properly.\n\n`,
    `Health check error:\n${why}\n\n`,
    'Service container logs:\n',
    output,
    output.at(-1) === NEWLINE ? '\n' : '\n\n',
    `${YELLOW}*********${RESET}\n\n`,
  ]
  log.output.write(Buffer.concat(block.map((part) => Buffer.from(part))))
}

const NEWLINE = 0x0a
