/** The keys of an entry of `include` that say where the file is; an entry has one of them. */
export const INCLUDE_FORMS = ['local', 'project', 'remote', 'template', 'artifact', 'component'] as const

/** The keys of an entry of `include`, also below `trigger`. */
export const INCLUDE_KEYWORDS = [
  ...INCLUDE_FORMS,
  ...(['file', 'ref', 'job', 'rules', 'inputs', 'integrity', 'cache'] as const),
] as const

/** The keys of an entry of `spec:include`. */
export const SPEC_INCLUDE_KEYWORDS = [
  ...(['local', 'project', 'file', 'ref', 'remote', 'integrity', 'cache'] as const),
] as const
