import { randomBytes } from 'node:crypto'

/** ID of a new thread: 40 hexadecimal digits. */
export function newDiscussionId(): string {
  return randomBytes(20).toString('hex')
}
