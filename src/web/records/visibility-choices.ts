/** Who sees a project or group, for a field of settings. */
export const VISIBILITY_CHOICES = [
  { value: 'private', label: 'Private: members only' },
  { value: 'internal', label: 'Internal: everyone who is signed in' },
  { value: 'public', label: 'Public: everyone' },
]
