import { isLongRefName, isNewRefName, MAX_REF_NAME_BYTES, type RefKind } from '../../../git/names.js'

/** Why no branch or tag can be made under this name, in the words that clients know; undefined when one can. */
export function problemOfNewRef(kind: RefKind, name: string): string | undefined {
  if (isLongRefName(name)) return `${LABELS[kind]} name is too long (maximum is ${MAX_REF_NAME_BYTES} bytes)`
  if (isNewRefName(name)) return undefined
  return kind === 'branch' ? 'Branch name is invalid' : 'Tag name invalid'
}

const LABELS = { branch: 'Branch', tag: 'Tag' }
