/** Reasons whose names alone do not say what happened. */
const WORDS: Readonly<Record<string, string>> = {
  stuck_pending_with_matching_runners: 'no matching runner was free for a day',
  stuck_pending_no_matching_runners: 'no runner that is online matched for an hour',
  no_updates_running: 'its runner fell silent',
  no_updates_canceling: 'its runner fell silent while it was being canceled',
  server_timeout_running: 'it ran beyond its timeout, and its runner did not end it',
  server_timeout_canceling: 'it ran beyond its timeout while it was being canceled',
}

/** The reason of a failed job as pages show it. */
export function failureWords(reason: string): string {
  return WORDS[reason] ?? reason.replaceAll('_', ' ')
}
