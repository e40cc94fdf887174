import type { OpenInput } from '../../archive/archive-input.js'
import type { AddedFile } from './workspace.js'

/** A file that the runner itself adds to an archive. */
export function addedInput({ name, content, modified }: AddedFile): OpenInput {
  return async () => ({ kind: 'file', name, content, modified, mode: 0o644, uid: 0, gid: 0 })
}
