const YELLOW = '\x1b[0;33m'
const RESET = '\x1b[0;m'
const NEWLINE = 0x0a

/** Bytes of the output of a service in a warning. */
export const MAX_SERVICE_OUTPUT = 64 * 1024

/**
 * The warning that a service may be unusable, with the end of its output. Must be written as one block, because the job and
 * other services write to the same log (runner protocol, 7.8).
 */
export function serviceWarning(name: string, why: string, output: Buffer): Buffer {
  const block = [
    `\n${YELLOW}*** WARNING:${RESET} Service ${name} probably didn't start properly.\n\n`,
    `Health check error:\n${why}\n\n`,
    'Service container logs:\n',
    output,
    output.at(-1) === NEWLINE ? '\n' : '\n\n',
    `${YELLOW}*********${RESET}\n\n`,
  ]
  return Buffer.concat(block.map((part) => Buffer.from(part)))
}
