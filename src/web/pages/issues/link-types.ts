/** How one issue or epic is linked to another one. */
export const LINK_TYPES = [
  { value: 'relates_to', label: 'Relates to', heading: 'Relates to' },
  { value: 'blocks', label: 'Blocks', heading: 'Blocks' },
  { value: 'is_blocked_by', label: 'Is blocked by', heading: 'Blocked by' },
] as const
