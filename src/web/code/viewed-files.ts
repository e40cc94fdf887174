const KEY = 'switchyard.viewed-diffs'
const MOST = 4000

/** The changes that the reader has marked as viewed in this browser, by their digests. */
export function readViewed(): Set<string> {
  return new Set((localStorage.getItem(KEY) ?? '').split(' ').filter((digest) => digest !== ''))
}

/** Keeps the newest marks. */
export function writeViewed(viewed: ReadonlySet<string>): void {
  localStorage.setItem(KEY, [...viewed].slice(-MOST).join(' '))
}
