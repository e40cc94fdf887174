import { Badge } from '../../kit/badge.js'

const WORDS: Record<string, string> = {
  blocked_pending_approval: 'waits for approval',
  ldap_blocked: 'blocked by a directory',
}

/** The state of an account. */
export function UserState({ state }: { state: string }) {
  const tone = state === 'active' ? 'success' : state === 'banned' ? 'failed' : 'warning'
  return <Badge tone={tone}>{WORDS[state] ?? state}</Badge>
}
