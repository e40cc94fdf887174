import type { Span } from './outside-code.js'

/** What a reference names. `project` is the path as it is written, `app` or `group/app`; absent = the place of the text. */
export type Target =
  | { kind: 'issue' | 'merge_request'; iid: number; project?: string }
  | { kind: 'snippet'; id: number; project?: string }
  | { kind: 'label' | 'milestone'; name: string; project?: string }
  | { kind: 'commit'; sha: string; project?: string }
  | { kind: 'user'; name: string }

/** A reference, where it is in the text, and whether it is a full URL. */
export type Reference = Target & Span & { isUrl?: true }

export type ReferenceKind = Reference['kind']

export type ReferenceOf<K extends ReferenceKind> = Extract<Reference, { kind: K | ReferenceKind }> & {
  kind: K
}
