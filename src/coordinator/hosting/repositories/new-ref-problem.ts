import { isLongRefName, isNewRefName, MAX_REF_NAME_BYTES, type RefKind } from '../../../git/names.js'

/**
 * Error message if the name is invalid for a new branch or tag, as clients expect it; undefined for a valid
 * name.
 */
export function problemOfNewRef(kind: RefKind, name: string): string | undefined {
  if (isLongRefName(name)) return `${LABELS[kind]} name is too long (maximum is ${MAX_REF_NAME_BYTES} bytes)`
  if (isNewRefName(name)) return undefined
  return kind === 'branch' ? 'Branch name is invalid' : 'Tag name invalid'
}

const LABELS = { branch: 'Branch', tag: 'Tag' }
